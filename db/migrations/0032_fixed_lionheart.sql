CREATE TABLE "login_turns" (
	"id" text PRIMARY KEY NOT NULL,
	"token" uuid,
	"held_until" timestamp with time zone NOT NULL,
	"begun" timestamp with time zone[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "social_accounts" ADD COLUMN "refresh_lost_at" timestamp with time zone;