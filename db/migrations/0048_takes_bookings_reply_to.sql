ALTER TABLE "booking_hours" ADD COLUMN "takes_bookings" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "reply_to" text;