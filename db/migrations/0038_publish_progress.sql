CREATE TABLE "publish_progress" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"lineage" uuid DEFAULT gen_random_uuid() NOT NULL,
	"counter" bigint DEFAULT 0 NOT NULL,
	"counted_at" timestamp with time zone,
	"stopped_at" timestamp with time zone,
	CONSTRAINT "publish_progress_one_row" CHECK ("publish_progress"."only")
);
--> statement-breakpoint
INSERT INTO "publish_progress" DEFAULT VALUES;