CREATE TABLE "booking_news" (
	"appointment_id" uuid NOT NULL,
	"audience" text NOT NULL,
	"told_status" text NOT NULL,
	"told_starts_at" timestamp with time zone NOT NULL,
	"mailed_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"by_client" boolean NOT NULL,
	CONSTRAINT "booking_news_appointment_id_audience_pk" PRIMARY KEY("appointment_id","audience")
);
--> statement-breakpoint
DROP INDEX "mails_sent";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "trying_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "booking_news" ADD CONSTRAINT "booking_news_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_news_due" ON "booking_news" USING btree ("due_at") WHERE "booking_news"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "uploads_item" ON "uploads" USING btree ("media_id") WHERE "uploads"."media_id" is not null;--> statement-breakpoint
CREATE INDEX "mails_by_age" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "post_media_thumbnail" ON "post_media" USING btree ("thumbnail_key") WHERE "post_media"."media_id" is null;--> statement-breakpoint
CREATE INDEX "oauth_states_user" ON "oauth_states" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mrr_movements_user" ON "mrr_movements" USING btree ("user_id");