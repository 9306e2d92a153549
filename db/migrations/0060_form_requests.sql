CREATE TABLE "form_requests" (
	"user_id" uuid NOT NULL,
	"request_id" text NOT NULL,
	"request_hash" text NOT NULL,
	"made" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "form_requests_user_id_request_id_pk" PRIMARY KEY("user_id","request_id")
);
--> statement-breakpoint
ALTER TABLE "form_requests" ADD CONSTRAINT "form_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "form_requests_created_at" ON "form_requests" USING btree ("created_at");