CREATE TABLE "disconnected_places" (
	"account_id" uuid NOT NULL,
	"page_id" text NOT NULL,
	"disconnected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "disconnected_places_account_id_page_id_pk" PRIMARY KEY("account_id","page_id")
);
--> statement-breakpoint
CREATE TABLE "publish_alarms" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"set_until" timestamp with time zone NOT NULL,
	"set_until_id" uuid NOT NULL,
	CONSTRAINT "publish_alarms_one_row" CHECK ("publish_alarms"."only")
);
--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "failed_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "tiktok_publish_id" text;
--> statement-breakpoint
ALTER TABLE "quota_uses" ADD COLUMN "place" bigint;
--> statement-breakpoint
ALTER TABLE "disconnected_places" ADD CONSTRAINT "disconnected_places_account_id_social_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."social_accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- Kept by the database, so that processes of the release before keep it too. A failed target of before that is written again keeps its time.
CREATE FUNCTION public.note_target_failed() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NEW.phase <> 'failed' THEN
    NEW.failed_at := NULL;
  ELSIF TG_OP = 'UPDATE' AND OLD.phase = 'failed' THEN
    NEW.failed_at := OLD.updated_at;
  ELSE
    NEW.failed_at := NEW.updated_at;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER post_targets_failed_at BEFORE INSERT OR UPDATE ON post_targets FOR EACH ROW WHEN ((NEW.phase = 'failed') <> (NEW.failed_at IS NOT NULL)) EXECUTE FUNCTION public.note_target_failed();
--> statement-breakpoint
CREATE FUNCTION public.note_tiktok_publish_id() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.tiktok_publish_id := NEW.checkpoint ->> 'publishId';
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER post_targets_tiktok_publish_id BEFORE INSERT OR UPDATE ON post_targets FOR EACH ROW WHEN (NEW.platform = 'tiktok' AND NEW.tiktok_publish_id IS DISTINCT FROM NEW.checkpoint ->> 'publishId') EXECUTE FUNCTION public.note_tiktok_publish_id();
--> statement-breakpoint
-- Room on each page for the versions that a row goes through, and vacuums by what a large table can bear instead of by a fifth of it.
ALTER TABLE post_targets SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);
--> statement-breakpoint
ALTER TABLE publish_attempts SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.02);
--> statement-breakpoint
ALTER TABLE posts SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.02);
--> statement-breakpoint
ALTER TABLE quota_uses SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
ALTER TABLE publish_progress SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
--> statement-breakpoint
ALTER TABLE publish_alarms SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
--> statement-breakpoint
ALTER TABLE publish_workers SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
--> statement-breakpoint
ALTER TABLE login_turns SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
--> statement-breakpoint
ALTER TABLE leases SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
--> statement-breakpoint
ALTER TABLE quota_buckets SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
--> statement-breakpoint
ALTER TABLE rate_limits SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
