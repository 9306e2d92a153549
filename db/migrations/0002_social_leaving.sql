ALTER TABLE "social_accounts" ADD COLUMN "leaving_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "oauth_states_expiry" ON "oauth_states" USING btree ("expires_at");