-- outside a transaction
-- A table at a time. What stands there already is not read here; the next file does.
ALTER TABLE "notices" DROP CONSTRAINT IF EXISTS "notices_kind_words", ADD CONSTRAINT "notices_kind_words" CHECK ("kind" in ('post_failed', 'account_reconnect', 'appointment', 'billing', 'post_posted', 'post_waiting', 'webhook_disabled', 'assistant_connected')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "notice_mails" DROP CONSTRAINT IF EXISTS "notice_mails_kind_words", ADD CONSTRAINT "notice_mails_kind_words" CHECK ("kind" in ('post_failed', 'account_reconnect', 'appointment', 'billing', 'post_posted', 'post_waiting', 'webhook_disabled', 'assistant_connected')) NOT VALID;
