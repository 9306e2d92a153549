CREATE TABLE "cohort_figures" (
	"day" date PRIMARY KEY NOT NULL,
	"left" integer NOT NULL,
	"lost" bigint NOT NULL,
	"gained" bigint NOT NULL
);
