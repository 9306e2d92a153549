-- outside a transaction
-- A table at a time, so that none stands still while another is waited for. What stands there already is not read here; the next file does.
ALTER TABLE "audit_entries"
  DROP CONSTRAINT IF EXISTS "audit_entries_action_words", ADD CONSTRAINT "audit_entries_action_words" CHECK ("action" in ('user_updated', 'user_activated', 'user_deactivated', 'user_deleted', 'admin_granted', 'admin_by_setting', 'admin_revoked')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "media_tallies"
  DROP CONSTRAINT IF EXISTS "media_tallies_kind_words", ADD CONSTRAINT "media_tallies_kind_words" CHECK ("kind" in ('image', 'video')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "movement_tallies"
  DROP CONSTRAINT IF EXISTS "movement_tallies_kind_words", ADD CONSTRAINT "movement_tallies_kind_words" CHECK ("kind" in ('new', 'reactivation', 'expansion', 'contraction', 'churn')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "movement_tallies_from_plan_words", ADD CONSTRAINT "movement_tallies_from_plan_words" CHECK ("from_plan" in ('social-line-work', 'complete-shading')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "movement_tallies_to_plan_words", ADD CONSTRAINT "movement_tallies_to_plan_words" CHECK ("to_plan" in ('social-line-work', 'complete-shading')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "order_tallies"
  DROP CONSTRAINT IF EXISTS "order_tallies_plan_words", ADD CONSTRAINT "order_tallies_plan_words" CHECK ("plan" in ('social-line-work', 'complete-shading')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "order_tallies_action_words", ADD CONSTRAINT "order_tallies_action_words" CHECK ("action" in ('created', 'updated', 'renewed', 'canceled', 'reactivated', 'payment_failed', 'payment_succeeded', 'past_due', 'unpaid')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "order_tallies_status_words", ADD CONSTRAINT "order_tallies_status_words" CHECK ("status" in ('active', 'past_due', 'canceled', 'unpaid', 'incomplete')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "subscription_tallies"
  DROP CONSTRAINT IF EXISTS "subscription_tallies_plan_words", ADD CONSTRAINT "subscription_tallies_plan_words" CHECK ("plan" in ('social-line-work', 'complete-shading')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "subscription_tallies_status_words", ADD CONSTRAINT "subscription_tallies_status_words" CHECK ("status" in ('active', 'past_due', 'canceled', 'unpaid', 'incomplete')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "user_place_changes"
  DROP CONSTRAINT IF EXISTS "user_place_changes_alphabet_words", ADD CONSTRAINT "user_place_changes_alphabet_words" CHECK ("alphabet" in ('name', 'email')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "user_places"
  DROP CONSTRAINT IF EXISTS "user_places_alphabet_words", ADD CONSTRAINT "user_places_alphabet_words" CHECK ("alphabet" in ('name', 'email')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "appointments"
  DROP CONSTRAINT IF EXISTS "appointments_booking_type_words", ADD CONSTRAINT "appointments_booking_type_words" CHECK ("booking_type" in ('1 Hour Booking', '1/2 Day Booking', 'Full Day Booking')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "appointments_time_slot_words", ADD CONSTRAINT "appointments_time_slot_words" CHECK ("time_slot" in ('9:00am-10:00am', '10:00am-11:00am', '11:00am-12:00pm', '12:00pm-1:00pm', '1:00pm-2:00pm', '2:00pm-3:00pm', '3:00pm-4:00pm', '4:00pm-5:00pm', '5:00pm-6:00pm', '6:00pm-7:00pm', '7:00pm-8:00pm', '8:00pm-9:00pm')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "appointments_status_words", ADD CONSTRAINT "appointments_status_words" CHECK ("status" in ('completed', 'confirmed', 'pending', 'cancelled')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "appointments_made_by_words", ADD CONSTRAINT "appointments_made_by_words" CHECK ("made_by" in ('client', 'artist')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "booking_news"
  DROP CONSTRAINT IF EXISTS "booking_news_audience_words", ADD CONSTRAINT "booking_news_audience_words" CHECK ("audience" in ('client', 'artist')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "booking_news_told_status_words", ADD CONSTRAINT "booking_news_told_status_words" CHECK ("told_status" in ('completed', 'confirmed', 'pending', 'cancelled')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "link_requests"
  DROP CONSTRAINT IF EXISTS "link_requests_purpose_words", ADD CONSTRAINT "link_requests_purpose_words" CHECK ("purpose" in ('register', 'verify_email', 'reset_password', 'change_email')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "link_tokens"
  DROP CONSTRAINT IF EXISTS "link_tokens_purpose_words", ADD CONSTRAINT "link_tokens_purpose_words" CHECK ("purpose" in ('verify_email', 'reset_password', 'change_email')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "user_identities"
  DROP CONSTRAINT IF EXISTS "user_identities_provider_words", ADD CONSTRAINT "user_identities_provider_words" CHECK ("provider" in ('google')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "media_items"
  DROP CONSTRAINT IF EXISTS "media_items_kind_words", ADD CONSTRAINT "media_items_kind_words" CHECK ("kind" in ('image', 'video')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "media_items_mime_type_words", ADD CONSTRAINT "media_items_mime_type_words" CHECK ("mime_type" in ('image/jpeg', 'image/png', 'video/mp4', 'video/quicktime')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "uploads"
  DROP CONSTRAINT IF EXISTS "uploads_source_words", ADD CONSTRAINT "uploads_source_words" CHECK ("source" in ('tus', 'form')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "notice_mails"
  DROP CONSTRAINT IF EXISTS "notice_mails_kind_words", ADD CONSTRAINT "notice_mails_kind_words" CHECK ("kind" in ('post_failed', 'account_reconnect', 'appointment', 'billing', 'post_posted', 'post_waiting')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "notices"
  DROP CONSTRAINT IF EXISTS "notices_kind_words", ADD CONSTRAINT "notices_kind_words" CHECK ("kind" in ('post_failed', 'account_reconnect', 'appointment', 'billing', 'post_posted', 'post_waiting')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "post_media"
  DROP CONSTRAINT IF EXISTS "post_media_kind_words", ADD CONSTRAINT "post_media_kind_words" CHECK ("kind" in ('image', 'video')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "post_targets"
  DROP CONSTRAINT IF EXISTS "post_targets_platform_words", ADD CONSTRAINT "post_targets_platform_words" CHECK ("platform" in ('facebook', 'instagram', 'tiktok', 'youtube', 'linkedin')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "post_targets_phase_words", ADD CONSTRAINT "post_targets_phase_words" CHECK ("phase" in ('scheduled', 'claimed', 'preparing', 'publishing', 'unknown', 'confirming', 'posted', 'failed')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "post_targets_left_behind_words", ADD CONSTRAINT "post_targets_left_behind_words" CHECK ("left_behind" in ('draft', 'private', 'inbox')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "posts"
  DROP CONSTRAINT IF EXISTS "posts_status_words", ADD CONSTRAINT "posts_status_words" CHECK ("status" in ('scheduled', 'posted', 'failed')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "publish_attempts"
  DROP CONSTRAINT IF EXISTS "publish_attempts_from_phase_words", ADD CONSTRAINT "publish_attempts_from_phase_words" CHECK ("from_phase" in ('scheduled', 'claimed', 'preparing', 'publishing', 'unknown', 'confirming', 'posted', 'failed')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "publish_attempts_to_phase_words", ADD CONSTRAINT "publish_attempts_to_phase_words" CHECK ("to_phase" in ('scheduled', 'claimed', 'preparing', 'publishing', 'unknown', 'confirming', 'posted', 'failed')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "publish_attempts_error_class_words", ADD CONSTRAINT "publish_attempts_error_class_words" CHECK ("error_class" in ('retry', 'later', 'permanent', 'reconnect', 'config', 'unknown')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "quota_uses"
  DROP CONSTRAINT IF EXISTS "quota_uses_state_words", ADD CONSTRAINT "quota_uses_state_words" CHECK ("state" in ('waiting', 'taken', 'done')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "deletion_requests"
  DROP CONSTRAINT IF EXISTS "deletion_requests_platform_words", ADD CONSTRAINT "deletion_requests_platform_words" CHECK ("platform" in ('facebook', 'instagram', 'tiktok', 'youtube', 'linkedin')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "oauth_states"
  DROP CONSTRAINT IF EXISTS "oauth_states_platform_words", ADD CONSTRAINT "oauth_states_platform_words" CHECK ("platform" in ('facebook', 'instagram', 'tiktok', 'youtube', 'linkedin')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "social_accounts"
  DROP CONSTRAINT IF EXISTS "social_accounts_platform_words", ADD CONSTRAINT "social_accounts_platform_words" CHECK ("platform" in ('facebook', 'instagram', 'tiktok', 'youtube', 'linkedin')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "social_accounts_health_words", ADD CONSTRAINT "social_accounts_health_words" CHECK ("health" in ('ok', 'reconnect')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "mrr_movements"
  DROP CONSTRAINT IF EXISTS "mrr_movements_kind_words", ADD CONSTRAINT "mrr_movements_kind_words" CHECK ("kind" in ('new', 'reactivation', 'expansion', 'contraction', 'churn')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "mrr_movements_from_plan_words", ADD CONSTRAINT "mrr_movements_from_plan_words" CHECK ("from_plan" in ('social-line-work', 'complete-shading')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "mrr_movements_to_plan_words", ADD CONSTRAINT "mrr_movements_to_plan_words" CHECK ("to_plan" in ('social-line-work', 'complete-shading')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "subscription_orders"
  DROP CONSTRAINT IF EXISTS "subscription_orders_plan_words", ADD CONSTRAINT "subscription_orders_plan_words" CHECK ("plan" in ('social-line-work', 'complete-shading')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "subscription_orders_action_words", ADD CONSTRAINT "subscription_orders_action_words" CHECK ("action" in ('created', 'updated', 'renewed', 'canceled', 'reactivated', 'payment_failed', 'payment_succeeded', 'past_due', 'unpaid')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "subscription_orders_status_words", ADD CONSTRAINT "subscription_orders_status_words" CHECK ("status" in ('active', 'past_due', 'canceled', 'unpaid', 'incomplete')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "subscription_orders_currency_words", ADD CONSTRAINT "subscription_orders_currency_words" CHECK ("currency" in ('usd')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "subscriptions"
  DROP CONSTRAINT IF EXISTS "subscriptions_plan_words", ADD CONSTRAINT "subscriptions_plan_words" CHECK ("plan" in ('social-line-work', 'complete-shading')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "subscriptions_status_words", ADD CONSTRAINT "subscriptions_status_words" CHECK ("status" in ('active', 'past_due', 'canceled', 'unpaid', 'incomplete')) NOT VALID,
  DROP CONSTRAINT IF EXISTS "subscriptions_payment_problem_words", ADD CONSTRAINT "subscriptions_payment_problem_words" CHECK ("payment_problem" in ('declined', 'authentication')) NOT VALID;