CREATE TABLE "user_place_changes" (
	"alphabet" text NOT NULL,
	"key" text NOT NULL,
	"users" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_places" (
	"alphabet" text NOT NULL,
	"key" text NOT NULL,
	"before" integer NOT NULL,
	CONSTRAINT "user_places_alphabet_key_pk" PRIMARY KEY("alphabet","key")
);
--> statement-breakpoint
CREATE FUNCTION place_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO user_place_changes (alphabet, key, users)
    SELECT alphabet, key, count(*) FROM new_rows CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO user_place_changes (alphabet, key, users)
    SELECT alphabet, key, -count(*) FROM old_rows CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM user_places;
    DELETE FROM user_place_changes;
  ELSE
    INSERT INTO user_place_changes (alphabet, key, users)
    SELECT alphabet, key, sum(n) FROM (
      SELECT name, email, 1 AS n FROM new_rows
      UNION ALL
      SELECT name, email, -1 FROM old_rows
    ) changed CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER user_places_insert AFTER INSERT ON users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION place_users();--> statement-breakpoint
CREATE TRIGGER user_places_update AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION place_users();--> statement-breakpoint
CREATE TRIGGER user_places_delete AFTER DELETE ON users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION place_users();--> statement-breakpoint
CREATE TRIGGER user_places_truncate AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION place_users();--> statement-breakpoint
INSERT INTO user_places (alphabet, key, before)
SELECT DISTINCT alphabet, key, before FROM (
  SELECT 'name' AS alphabet, lower(name) AS key, rank() OVER by_name - 1 AS before, row_number() OVER by_name AS n FROM users WINDOW by_name AS (ORDER BY lower(name))
  UNION ALL
  SELECT 'email', email, rank() OVER by_email - 1, row_number() OVER by_email FROM users WINDOW by_email AS (ORDER BY email)
) placed WHERE n % 1000 = 0;
