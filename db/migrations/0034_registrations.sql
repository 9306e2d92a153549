CREATE TABLE "registrations" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"browser" text NOT NULL,
	"user_agent" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_email_unique";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "email_from" text;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "email_to" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "admin_setting_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "registrations_created_at" ON "registrations" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_verified_email" ON "users" USING btree ("email") WHERE "users"."email_verified_at" is not null;
--> statement-breakpoint
-- Whoever registered and never verified stands by itself from here on. An account whose address staff changed keeps what it has.
INSERT INTO "registrations" ("user_id", "browser", "user_agent", "created_at")
SELECT u."id", '', '', u."created_at" FROM "users" u
WHERE u."email_verified_at" IS NULL AND NOT u."is_admin" AND u."stripe_customer_id" IS NULL AND u."deletion_asked_at" IS NULL
  AND NOT EXISTS (SELECT 1 FROM "user_identities" i WHERE i."user_id" = u."id")
  AND NOT EXISTS (SELECT 1 FROM "audit_entries" a WHERE a."subject_id" = u."id" AND a."fields" ? 'email');
