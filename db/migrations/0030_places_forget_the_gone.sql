-- Whoever is deleted or renamed leaves no name or address behind: what changed there goes into the places after it at once.
CREATE OR REPLACE FUNCTION place_users() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone record;
  moved bigint;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM user_places;
    DELETE FROM user_place_changes;
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO user_place_changes (alphabet, key, users)
    SELECT alphabet, key, count(*) FROM new_rows CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO user_place_changes (alphabet, key, users)
    SELECT alphabet, key, sum(n) FROM (
      SELECT name, email, 1 AS n FROM new_rows
      UNION ALL
      SELECT name, email, -1 FROM old_rows
    ) changed CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2 HAVING sum(n) <> 0;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
  ELSE
    INSERT INTO user_place_changes (alphabet, key, users)
    SELECT alphabet, key, -count(*) FROM old_rows CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2;
  END IF;
  -- Waits for the job that looks for all places anew, and for others who go; nobody who reads or registers waits.
  LOCK TABLE user_places IN EXCLUSIVE MODE;
  FOR gone IN SELECT DISTINCT alphabet, key FROM old_rows CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) LOOP
    WITH taken AS (DELETE FROM user_place_changes c WHERE c.alphabet = gone.alphabet AND c.key = gone.key RETURNING users)
    SELECT coalesce(sum(users), 0) INTO moved FROM taken;
    UPDATE user_places p SET before = p.before + moved WHERE p.alphabet = gone.alphabet AND p.key > gone.key AND moved <> 0;
    DELETE FROM user_places p WHERE p.alphabet = gone.alphabet AND p.key = gone.key;
  END LOOP;
  RETURN NULL;
END $$;
