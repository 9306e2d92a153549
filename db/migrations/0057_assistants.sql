CREATE TABLE "assistant_clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistant_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"grant_id" uuid
);
--> statement-breakpoint
CREATE TABLE "assistant_grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"host" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "assistant_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"replaced_at" timestamp with time zone,
	CONSTRAINT "assistant_tokens_kind_words" CHECK ("kind" in ('access', 'refresh'))
);
--> statement-breakpoint
ALTER TABLE "assistant_codes" ADD CONSTRAINT "assistant_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_codes" ADD CONSTRAINT "assistant_codes_grant_id_assistant_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."assistant_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_grants" ADD CONSTRAINT "assistant_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_tokens" ADD CONSTRAINT "assistant_tokens_grant_id_assistant_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."assistant_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assistant_clients_created" ON "assistant_clients" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "assistant_codes_expiry" ON "assistant_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "assistant_codes_user" ON "assistant_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "assistant_codes_grant" ON "assistant_codes" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "assistant_grants_user" ON "assistant_grants" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "assistant_grants_client" ON "assistant_grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "assistant_tokens_grant" ON "assistant_tokens" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "assistant_tokens_expiry" ON "assistant_tokens" USING btree ("expires_at");