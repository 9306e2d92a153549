DROP INDEX "users_name";--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower("name"),"name","id");--> statement-breakpoint
CREATE INDEX "users_by_email" ON "users" USING btree ("email","id");