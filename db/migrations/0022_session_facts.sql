-- Whatever a session says of its artist is kept in memory for moments by every web process (decision 22). The database itself
-- tells them when it is no longer true, so that no statement, of the product or of an operator, can forget to.
CREATE FUNCTION tell_session_owner() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
  becomes jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) END;
  owner text;
BEGIN
  FOR owner IN SELECT DISTINCT value FROM unnest(ARRAY[was ->> TG_ARGV[0], becomes ->> TG_ARGV[0]]) AS value WHERE value IS NOT NULL LOOP
    PERFORM pg_notify('flashsheet_live', json_build_object('owner', owner, 'topic', 'sessions')::text);
  END LOOP;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION tell_all_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('flashsheet_live', '{"owner":"*","topic":"*"}');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER sessions_ended AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION tell_session_owner('user_id');--> statement-breakpoint
CREATE TRIGGER sessions_emptied AFTER TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION tell_all_sessions();--> statement-breakpoint
CREATE TRIGGER users_told AFTER UPDATE OF name, email, is_admin, is_active, email_verified_at, time_zone, deletion_asked_at, stripe_customer_id ON users FOR EACH ROW
  WHEN (row(OLD.name, OLD.email, OLD.is_admin, OLD.is_active, OLD.email_verified_at, OLD.time_zone, OLD.deletion_asked_at, OLD.stripe_customer_id)
    IS DISTINCT FROM row(NEW.name, NEW.email, NEW.is_admin, NEW.is_active, NEW.email_verified_at, NEW.time_zone, NEW.deletion_asked_at, NEW.stripe_customer_id))
  EXECUTE FUNCTION tell_session_owner('id');--> statement-breakpoint
CREATE TRIGGER subscriptions_began_or_ended AFTER INSERT OR DELETE ON subscriptions FOR EACH ROW EXECUTE FUNCTION tell_session_owner('user_id');--> statement-breakpoint
CREATE TRIGGER subscriptions_changed AFTER UPDATE OF user_id, plan, status, created_at ON subscriptions FOR EACH ROW
  WHEN (row(OLD.user_id, OLD.plan, OLD.status, OLD.created_at) IS DISTINCT FROM row(NEW.user_id, NEW.plan, NEW.status, NEW.created_at))
  EXECUTE FUNCTION tell_session_owner('user_id');
