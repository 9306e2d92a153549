CREATE TABLE "media_fetches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"request_id" text NOT NULL,
	"url" text NOT NULL,
	"state" text NOT NULL,
	"message" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "media_fetches_request" UNIQUE("user_id","request_id"),
	CONSTRAINT "media_fetches_state_words" CHECK ("state" in ('fetching', 'done', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "media_fetches" ADD CONSTRAINT "media_fetches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_fetches_created_at" ON "media_fetches" USING btree ("created_at");