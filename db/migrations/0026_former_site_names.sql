CREATE TABLE "former_site_names" (
	"domain_name" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"left_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "former_site_names" ADD CONSTRAINT "former_site_names_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_site_names_of_artist" ON "former_site_names" USING btree ("user_id","left_at");