CREATE TABLE "leases" (
	"key" text PRIMARY KEY NOT NULL,
	"token" uuid NOT NULL,
	"held_until" timestamp with time zone NOT NULL
);
