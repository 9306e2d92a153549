CREATE TABLE "appointment_links" (
	"hash" text PRIMARY KEY NOT NULL,
	"appointment_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "appointments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"domain_name" text NOT NULL,
	"booking_type" text NOT NULL,
	"time_slot" text NOT NULL,
	"status" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"free_at" timestamp with time zone NOT NULL,
	"busy" "tstzrange" GENERATED ALWAYS AS (tstzrange(starts_at, free_at, '[)')) STORED NOT NULL,
	"time_zone" text NOT NULL,
	"client_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"notes" text NOT NULL,
	"made_by" text NOT NULL,
	"set_aside" boolean DEFAULT false NOT NULL,
	"answer_by" timestamp with time zone,
	"sequence" integer DEFAULT 0 NOT NULL,
	"told_at" timestamp with time zone,
	"reminded_for" timestamp with time zone,
	"request_id" text,
	"request_hash" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "appointments_request_once" UNIQUE("user_id","request_id"),
	CONSTRAINT "appointments_span" CHECK ("appointments"."starts_at" < "appointments"."ends_at" and "appointments"."ends_at" <= "appointments"."free_at"),
	CONSTRAINT "appointments_contact" CHECK ("appointments"."email" <> '' or "appointments"."phone" <> '')
);
--> statement-breakpoint
CREATE TABLE "blocked_days" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"from_minute" integer NOT NULL,
	"to_minute" integer NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "blocked_days_span" CHECK ("blocked_days"."first_day" <= "blocked_days"."last_day" and "blocked_days"."from_minute" >= 0 and "blocked_days"."from_minute" < "blocked_days"."to_minute" and "blocked_days"."to_minute" <= 1440)
);
--> statement-breakpoint
CREATE TABLE "booking_hours" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"weekly" jsonb NOT NULL,
	"notice_hours" integer NOT NULL,
	"horizon_days" integer,
	"buffer_minutes" integer NOT NULL,
	"lengths" jsonb NOT NULL,
	"move_notice_hours" integer,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "appointment_links" ADD CONSTRAINT "appointment_links_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocked_days" ADD CONSTRAINT "blocked_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_hours" ADD CONSTRAINT "booking_hours_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "appointment_links_appointment" ON "appointment_links" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "appointment_links_expiry" ON "appointment_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "appointments_by_time" ON "appointments" USING btree ("user_id","starts_at");--> statement-breakpoint
CREATE INDEX "appointments_set_aside" ON "appointments" USING btree ("user_id","created_at") WHERE "appointments"."set_aside";--> statement-breakpoint
CREATE INDEX "appointments_waiting" ON "appointments" USING btree ("user_id") WHERE "appointments"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "appointments_unanswered" ON "appointments" USING btree ("answer_by") WHERE "appointments"."answer_by" is not null;--> statement-breakpoint
CREATE INDEX "appointments_to_remind" ON "appointments" USING btree ("starts_at") WHERE "appointments"."status" = 'confirmed' and "appointments"."reminded_for" is distinct from "appointments"."starts_at";--> statement-breakpoint
CREATE INDEX "blocked_days_of" ON "blocked_days" USING btree ("user_id","first_day");--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gist;--> statement-breakpoint
-- No artist is ever booked twice at one time, whatever the code above believes (design 6). What was set aside as spam holds nothing.
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_no_overlap" EXCLUDE USING gist ("user_id" WITH =, "busy" WITH &&) WHERE ("status" IN ('pending', 'confirmed') AND NOT "set_aside");
