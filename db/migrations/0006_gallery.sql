CREATE TABLE "gallery_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"media_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"alt_text" text DEFAULT '' NOT NULL,
	"token" text NOT NULL,
	"forms" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gallery_items_once" UNIQUE("media_id"),
	CONSTRAINT "gallery_items_token" UNIQUE("token"),
	CONSTRAINT "gallery_items_alt_text" CHECK (length("gallery_items"."alt_text") <= 250)
);
--> statement-breakpoint
ALTER TABLE "media_items" ADD CONSTRAINT "media_items_of_artist" UNIQUE("user_id","id");--> statement-breakpoint
ALTER TABLE "gallery_items" ADD CONSTRAINT "gallery_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gallery_items" ADD CONSTRAINT "gallery_items_own_media" FOREIGN KEY ("user_id","media_id") REFERENCES "public"."media_items"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gallery_items_order" ON "gallery_items" USING btree ("user_id","position");