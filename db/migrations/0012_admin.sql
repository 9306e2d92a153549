-- Finds a piece of a name or an address among many (users_search).
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"fields" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "movement_tallies" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"from_plan" text,
	"to_plan" text,
	"movements" integer NOT NULL,
	"delta" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_tallies" (
	"day" date NOT NULL,
	"plan" text NOT NULL,
	"action" text NOT NULL,
	"status" text NOT NULL,
	"orders" integer NOT NULL,
	"amount" bigint NOT NULL,
	"refunded" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_tallies" (
	"day" date NOT NULL,
	"plan" text NOT NULL,
	"status" text NOT NULL,
	"leaving" boolean NOT NULL,
	"subscriptions" integer NOT NULL,
	"mrr" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_tallies" (
	"day" date NOT NULL,
	"is_active" boolean NOT NULL,
	"users" integer NOT NULL
);
--> statement-breakpoint
DROP INDEX "users_created_at";--> statement-breakpoint
DROP INDEX "subscription_orders_newest";--> statement-breakpoint
DROP INDEX "subscription_orders_user";--> statement-breakpoint
ALTER TABLE "mrr_movements" ADD COLUMN "from_plan" text;--> statement-breakpoint
ALTER TABLE "mrr_movements" ADD COLUMN "to_plan" text;--> statement-breakpoint
CREATE INDEX "audit_entries_newest" ON "audit_entries" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_subject" ON "audit_entries" USING btree ("subject_id");--> statement-breakpoint
CREATE INDEX "movement_tallies_day" ON "movement_tallies" USING btree ("day");--> statement-breakpoint
CREATE INDEX "order_tallies_day" ON "order_tallies" USING btree ("day");--> statement-breakpoint
CREATE INDEX "subscription_tallies_day" ON "subscription_tallies" USING btree ("day");--> statement-breakpoint
CREATE INDEX "user_tallies_day" ON "user_tallies" USING btree ("day");--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin (("name" || ' ' || "email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_admins" ON "users" USING btree ("id") WHERE "users"."is_admin";--> statement-breakpoint
CREATE INDEX "subscription_orders_customer" ON "subscription_orders" USING btree ("stripe_customer_id" text_pattern_ops,"created_at");--> statement-breakpoint
CREATE INDEX "subscription_orders_action" ON "subscription_orders" USING btree ("action","created_at","id");--> statement-breakpoint
CREATE INDEX "subscription_orders_status" ON "subscription_orders" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "subscriptions_customer" ON "subscriptions" USING btree ("stripe_customer_id");--> statement-breakpoint
CREATE INDEX "users_created_at" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "subscription_orders_newest" ON "subscription_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "subscription_orders_user" ON "subscription_orders" USING btree ("user_id","created_at");
--> statement-breakpoint
-- Rows from before: the plan of a movement is its subscription's.
UPDATE mrr_movements m SET
  from_plan = CASE WHEN kind IN ('new', 'reactivation') THEN NULL ELSE s.plan END,
  to_plan = CASE WHEN kind = 'churn' THEN NULL ELSE s.plan END
FROM subscriptions s WHERE s.stripe_subscription_id = m.stripe_subscription_id;
--> statement-breakpoint
-- The audit log is written once and for ever.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'entries of % are never changed or removed', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION tally_subscription_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO order_tallies (day, plan, action, status, orders, amount, refunded)
    SELECT (created_at AT TIME ZONE 'UTC')::date, plan, action, status, count(*), sum(amount), sum(refunded) FROM new_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO order_tallies (day, plan, action, status, orders, amount, refunded)
    SELECT (created_at AT TIME ZONE 'UTC')::date, plan, action, status, -count(*), -sum(amount), -sum(refunded) FROM old_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM order_tallies;
  ELSE
    INSERT INTO order_tallies (day, plan, action, status, orders, amount, refunded)
    SELECT k0, k1, k2, k3, sum(v0), sum(v1), sum(v2) FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, plan AS k1, action AS k2, status AS k3, 1 AS v0, amount AS v1, refunded AS v2 FROM new_rows
      UNION ALL
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, plan AS k1, action AS k2, status AS k3, -1 AS v0, -amount AS v1, -refunded AS v2 FROM old_rows
    ) changed GROUP BY 1, 2, 3, 4 HAVING sum(v0) <> 0 OR sum(v1) <> 0 OR sum(v2) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER order_tallies_insert AFTER INSERT ON subscription_orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_subscription_orders();
--> statement-breakpoint
CREATE TRIGGER order_tallies_update AFTER UPDATE ON subscription_orders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_subscription_orders();
--> statement-breakpoint
CREATE TRIGGER order_tallies_delete AFTER DELETE ON subscription_orders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_subscription_orders();
--> statement-breakpoint
CREATE TRIGGER order_tallies_truncate AFTER TRUNCATE ON subscription_orders FOR EACH STATEMENT EXECUTE FUNCTION tally_subscription_orders();
--> statement-breakpoint
INSERT INTO order_tallies (day, plan, action, status, orders, amount, refunded) SELECT (created_at AT TIME ZONE 'UTC')::date, plan, action, status, count(*), sum(amount), sum(refunded) FROM subscription_orders GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE FUNCTION tally_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO subscription_tallies (day, plan, status, leaving, subscriptions, mrr)
    SELECT (created_at AT TIME ZONE 'UTC')::date, plan, status, cancel_at_period_end, count(*), sum(mrr) FROM new_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO subscription_tallies (day, plan, status, leaving, subscriptions, mrr)
    SELECT (created_at AT TIME ZONE 'UTC')::date, plan, status, cancel_at_period_end, -count(*), -sum(mrr) FROM old_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM subscription_tallies;
  ELSE
    INSERT INTO subscription_tallies (day, plan, status, leaving, subscriptions, mrr)
    SELECT k0, k1, k2, k3, sum(v0), sum(v1) FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, plan AS k1, status AS k2, cancel_at_period_end AS k3, 1 AS v0, mrr AS v1 FROM new_rows
      UNION ALL
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, plan AS k1, status AS k2, cancel_at_period_end AS k3, -1 AS v0, -mrr AS v1 FROM old_rows
    ) changed GROUP BY 1, 2, 3, 4 HAVING sum(v0) <> 0 OR sum(v1) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER subscription_tallies_insert AFTER INSERT ON subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_subscriptions();
--> statement-breakpoint
CREATE TRIGGER subscription_tallies_update AFTER UPDATE ON subscriptions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_subscriptions();
--> statement-breakpoint
CREATE TRIGGER subscription_tallies_delete AFTER DELETE ON subscriptions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_subscriptions();
--> statement-breakpoint
CREATE TRIGGER subscription_tallies_truncate AFTER TRUNCATE ON subscriptions FOR EACH STATEMENT EXECUTE FUNCTION tally_subscriptions();
--> statement-breakpoint
INSERT INTO subscription_tallies (day, plan, status, leaving, subscriptions, mrr) SELECT (created_at AT TIME ZONE 'UTC')::date, plan, status, cancel_at_period_end, count(*), sum(mrr) FROM subscriptions GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE FUNCTION tally_mrr_movements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO movement_tallies (day, kind, from_plan, to_plan, movements, delta)
    SELECT ("at" AT TIME ZONE 'UTC')::date, kind, from_plan, to_plan, count(*), sum(delta) FROM new_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO movement_tallies (day, kind, from_plan, to_plan, movements, delta)
    SELECT ("at" AT TIME ZONE 'UTC')::date, kind, from_plan, to_plan, -count(*), -sum(delta) FROM old_rows GROUP BY 1, 2, 3, 4;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM movement_tallies;
  ELSE
    INSERT INTO movement_tallies (day, kind, from_plan, to_plan, movements, delta)
    SELECT k0, k1, k2, k3, sum(v0), sum(v1) FROM (
      SELECT ("at" AT TIME ZONE 'UTC')::date AS k0, kind AS k1, from_plan AS k2, to_plan AS k3, 1 AS v0, delta AS v1 FROM new_rows
      UNION ALL
      SELECT ("at" AT TIME ZONE 'UTC')::date AS k0, kind AS k1, from_plan AS k2, to_plan AS k3, -1 AS v0, -delta AS v1 FROM old_rows
    ) changed GROUP BY 1, 2, 3, 4 HAVING sum(v0) <> 0 OR sum(v1) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER movement_tallies_insert AFTER INSERT ON mrr_movements REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_mrr_movements();
--> statement-breakpoint
CREATE TRIGGER movement_tallies_update AFTER UPDATE ON mrr_movements REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_mrr_movements();
--> statement-breakpoint
CREATE TRIGGER movement_tallies_delete AFTER DELETE ON mrr_movements REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_mrr_movements();
--> statement-breakpoint
CREATE TRIGGER movement_tallies_truncate AFTER TRUNCATE ON mrr_movements FOR EACH STATEMENT EXECUTE FUNCTION tally_mrr_movements();
--> statement-breakpoint
INSERT INTO movement_tallies (day, kind, from_plan, to_plan, movements, delta) SELECT ("at" AT TIME ZONE 'UTC')::date, kind, from_plan, to_plan, count(*), sum(delta) FROM mrr_movements GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE FUNCTION tally_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO user_tallies (day, is_active, users)
    SELECT (created_at AT TIME ZONE 'UTC')::date, is_active, count(*) FROM new_rows GROUP BY 1, 2;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO user_tallies (day, is_active, users)
    SELECT (created_at AT TIME ZONE 'UTC')::date, is_active, -count(*) FROM old_rows GROUP BY 1, 2;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM user_tallies;
  ELSE
    INSERT INTO user_tallies (day, is_active, users)
    SELECT k0, k1, sum(v0) FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, is_active AS k1, 1 AS v0 FROM new_rows
      UNION ALL
      SELECT (created_at AT TIME ZONE 'UTC')::date AS k0, is_active AS k1, -1 AS v0 FROM old_rows
    ) changed GROUP BY 1, 2 HAVING sum(v0) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER user_tallies_insert AFTER INSERT ON users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
--> statement-breakpoint
CREATE TRIGGER user_tallies_update AFTER UPDATE ON users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
--> statement-breakpoint
CREATE TRIGGER user_tallies_delete AFTER DELETE ON users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
--> statement-breakpoint
CREATE TRIGGER user_tallies_truncate AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
--> statement-breakpoint
INSERT INTO user_tallies (day, is_active, users) SELECT (created_at AT TIME ZONE 'UTC')::date, is_active, count(*) FROM users GROUP BY 1, 2;
