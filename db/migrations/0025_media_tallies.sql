CREATE TABLE "media_tallies" (
	"kind" text NOT NULL,
	"items" integer NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sites_search" ON "sites" USING gin ("domain_name" gin_trgm_ops);--> statement-breakpoint
CREATE FUNCTION tally_media_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO media_tallies (kind, items, bytes) SELECT kind, count(*), sum(bytes) FROM new_rows GROUP BY kind;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO media_tallies (kind, items, bytes) SELECT kind, -count(*), -sum(bytes) FROM old_rows GROUP BY kind;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM media_tallies;
  ELSE
    INSERT INTO media_tallies (kind, items, bytes)
    SELECT kind, sum(items), sum(bytes) FROM (
      SELECT kind, 1 AS items, bytes FROM new_rows
      UNION ALL
      SELECT kind, -1, -bytes FROM old_rows
    ) changed GROUP BY kind HAVING sum(items) <> 0 OR sum(bytes) <> 0;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER media_tallies_insert AFTER INSERT ON media_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_media_items();--> statement-breakpoint
CREATE TRIGGER media_tallies_update AFTER UPDATE ON media_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_media_items();--> statement-breakpoint
CREATE TRIGGER media_tallies_delete AFTER DELETE ON media_items REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_media_items();--> statement-breakpoint
CREATE TRIGGER media_tallies_truncate AFTER TRUNCATE ON media_items FOR EACH STATEMENT EXECUTE FUNCTION tally_media_items();--> statement-breakpoint
INSERT INTO media_tallies (kind, items, bytes) SELECT kind, count(*), sum(bytes) FROM media_items GROUP BY kind;
