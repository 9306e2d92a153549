CREATE TABLE "site_images" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"bytes" integer NOT NULL,
	"sizes" jsonb NOT NULL,
	"clear" boolean NOT NULL,
	"uploaded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "site_images_of_artist" UNIQUE("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"domain_name" text NOT NULL,
	"published" boolean NOT NULL,
	"name" text NOT NULL,
	"shop_name" text NOT NULL,
	"about" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"shop_address" text NOT NULL,
	"city" text NOT NULL,
	"state" text NOT NULL,
	"zip" text NOT NULL,
	"background_color" text NOT NULL,
	"text_color" text NOT NULL,
	"button_color" text NOT NULL,
	"hover_color" text NOT NULL,
	"logo_image_id" text,
	"background_image_id" text,
	"profile_image_id" text,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sites_domain_name" UNIQUE("domain_name"),
	CONSTRAINT "sites_domain_name_form" CHECK ("sites"."domain_name" ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$'),
	CONSTRAINT "sites_about_length" CHECK (char_length("sites"."about") <= 2000),
	CONSTRAINT "sites_colors" CHECK ("sites"."background_color" ~ '^#[0-9a-f]{6}$' and "sites"."text_color" ~ '^#[0-9a-f]{6}$' and "sites"."button_color" ~ '^#[0-9a-f]{6}$' and "sites"."hover_color" ~ '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
ALTER TABLE "site_images" ADD CONSTRAINT "site_images_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_logo_image" FOREIGN KEY ("user_id","logo_image_id") REFERENCES "public"."site_images"("user_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_background_image" FOREIGN KEY ("user_id","background_image_id") REFERENCES "public"."site_images"("user_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_profile_image" FOREIGN KEY ("user_id","profile_image_id") REFERENCES "public"."site_images"("user_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_images_uploaded" ON "site_images" USING btree ("uploaded_at");