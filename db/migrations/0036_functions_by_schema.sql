-- A restore, and any session whose search_path is not ours, reached these functions without their tables: they name them whole and search where they must.
CREATE OR REPLACE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'entries of % are never changed or removed', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.tally_subscription_orders() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.order_tallies (day, plan, action, status, orders, amount, refunded)
    SELECT (created_at AT TIME ZONE 'UTC')::date, plan, action, status, count(*), sum(amount), sum(refunded) FROM new_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.order_tallies (day, plan, action, status, orders, amount, refunded)
    SELECT (created_at AT TIME ZONE 'UTC')::date, plan, action, status, -count(*), -sum(amount), -sum(refunded) FROM old_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.order_tallies;
  ELSE
    INSERT INTO public.order_tallies (day, plan, action, status, orders, amount, refunded)
    SELECT k0, k1, k2, k3, sum(v0), sum(v1), sum(v2) FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, plan AS k1, action AS k2, status AS k3, 1 AS v0, amount AS v1, refunded AS v2 FROM new_rows
      UNION ALL
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, plan AS k1, action AS k2, status AS k3, -1 AS v0, -amount AS v1, -refunded AS v2 FROM old_rows
    ) changed GROUP BY 1, 2, 3, 4 HAVING sum(v0) <> 0 OR sum(v1) <> 0 OR sum(v2) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.tally_subscriptions() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.subscription_tallies (day, plan, status, leaving, subscriptions, mrr)
    SELECT (created_at AT TIME ZONE 'UTC')::date, plan, status, cancel_at_period_end, count(*), sum(mrr) FROM new_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.subscription_tallies (day, plan, status, leaving, subscriptions, mrr)
    SELECT (created_at AT TIME ZONE 'UTC')::date, plan, status, cancel_at_period_end, -count(*), -sum(mrr) FROM old_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.subscription_tallies;
  ELSE
    INSERT INTO public.subscription_tallies (day, plan, status, leaving, subscriptions, mrr)
    SELECT k0, k1, k2, k3, sum(v0), sum(v1) FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, plan AS k1, status AS k2, cancel_at_period_end AS k3, 1 AS v0, mrr AS v1 FROM new_rows
      UNION ALL
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, plan AS k1, status AS k2, cancel_at_period_end AS k3, -1 AS v0, -mrr AS v1 FROM old_rows
    ) changed GROUP BY 1, 2, 3, 4 HAVING sum(v0) <> 0 OR sum(v1) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.tally_mrr_movements() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.movement_tallies (day, kind, from_plan, to_plan, movements, delta)
    SELECT ("at" AT TIME ZONE 'UTC')::date, kind, from_plan, to_plan, count(*), sum(delta) FROM new_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.movement_tallies (day, kind, from_plan, to_plan, movements, delta)
    SELECT ("at" AT TIME ZONE 'UTC')::date, kind, from_plan, to_plan, -count(*), -sum(delta) FROM old_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.movement_tallies;
  ELSE
    INSERT INTO public.movement_tallies (day, kind, from_plan, to_plan, movements, delta)
    SELECT k0, k1, k2, k3, sum(v0), sum(v1) FROM (
      SELECT ("at" AT TIME ZONE 'UTC')::date AS k0, kind AS k1, from_plan AS k2, to_plan AS k3, 1 AS v0, delta AS v1 FROM new_rows
      UNION ALL
      SELECT ("at" AT TIME ZONE 'UTC')::date AS k0, kind AS k1, from_plan AS k2, to_plan AS k3, -1 AS v0, -delta AS v1 FROM old_rows
    ) changed GROUP BY 1, 2, 3, 4 HAVING sum(v0) <> 0 OR sum(v1) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.tally_users() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.user_tallies (day, is_active, users)
    SELECT (created_at AT TIME ZONE 'UTC')::date, is_active, count(*) FROM new_rows GROUP BY 1, 2;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.user_tallies (day, is_active, users)
    SELECT (created_at AT TIME ZONE 'UTC')::date, is_active, -count(*) FROM old_rows GROUP BY 1, 2;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.user_tallies;
  ELSE
    INSERT INTO public.user_tallies (day, is_active, users)
    SELECT k0, k1, sum(v0) FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, is_active AS k1, 1 AS v0 FROM new_rows
      UNION ALL
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, is_active AS k1, -1 AS v0 FROM old_rows
    ) changed GROUP BY 1, 2 HAVING sum(v0) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.tell_session_owner() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  was jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
  becomes jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) END;
  owner text;
BEGIN
  FOR owner IN SELECT DISTINCT value FROM unnest(ARRAY[was ->> TG_ARGV[0], becomes ->> TG_ARGV[0]]) AS value WHERE value IS NOT NULL LOOP
    PERFORM pg_notify('flashsheet_live', json_build_object('owner', owner, 'topic', 'sessions')::text);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.tell_all_sessions() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('flashsheet_live', '{"owner":"*","topic":"*"}');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.tally_media_items() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.media_tallies (kind, items, bytes) SELECT kind, count(*), sum(bytes) FROM new_rows GROUP BY kind;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO public.media_tallies (kind, items, bytes) SELECT kind, -count(*), -sum(bytes) FROM old_rows GROUP BY kind;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.media_tallies;
  ELSE
    INSERT INTO public.media_tallies (kind, items, bytes)
    SELECT kind, sum(items), sum(bytes) FROM (
      SELECT kind, 1 AS items, bytes FROM new_rows
      UNION ALL
      SELECT kind, -1, -bytes FROM old_rows
    ) changed GROUP BY kind HAVING sum(items) <> 0 OR sum(bytes) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION public.place_users() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone record;
  moved bigint;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.user_places;
    DELETE FROM public.user_place_changes;
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.user_place_changes (alphabet, key, users)
    SELECT alphabet, key, count(*) FROM new_rows CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO public.user_place_changes (alphabet, key, users)
    SELECT alphabet, key, sum(n) FROM (
      SELECT name, email, 1 AS n FROM new_rows
      UNION ALL
      SELECT name, email, -1 FROM old_rows
    ) changed CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2 HAVING sum(n) <> 0;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
  ELSE
    INSERT INTO public.user_place_changes (alphabet, key, users)
    SELECT alphabet, key, -count(*) FROM old_rows CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) GROUP BY 1, 2;
  END IF;
  -- Waits for the job that looks for all places anew, and for others who go; nobody who reads or registers waits.
  LOCK TABLE public.user_places IN EXCLUSIVE MODE;
  FOR gone IN SELECT DISTINCT alphabet, key FROM old_rows CROSS JOIN LATERAL (VALUES ('name', lower(name)), ('email', email)) k (alphabet, key) LOOP
    WITH taken AS (DELETE FROM public.user_place_changes c WHERE c.alphabet = gone.alphabet AND c.key = gone.key RETURNING users)
    SELECT coalesce(sum(users), 0) INTO moved FROM taken;
    UPDATE public.user_places p SET before = p.before + moved WHERE p.alphabet = gone.alphabet AND p.key > gone.key AND moved <> 0;
    DELETE FROM public.user_places p WHERE p.alphabet = gone.alphabet AND p.key = gone.key;
  END LOOP;
  RETURN NULL;
END $$;
