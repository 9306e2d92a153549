ALTER TABLE "quota_uses" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "quota_uses" ADD CONSTRAINT "quota_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quota_uses_user" ON "quota_uses" USING btree ("user_id");