import MPaaSSupport

extension ServerError.Code {
  /// The file of keys for notifications cannot be used.
  static var pushKeys: Self { ServerError.Code("server-push-keys", exit: .badConfiguration) }
  /// The server has no key for a topic.
  static var pushNoKey: Self { ServerError.Code("server-push-no-key", exit: .badConfiguration) }
  /// Another campaign has the name.
  static var pushCampaignTaken: Self { ServerError.Code("server-push-campaign-taken", exit: .malformedInput) }
  /// The campaign has ended.
  static var pushCampaignState: Self { ServerError.Code("server-push-campaign-state", exit: .negative) }
  /// The app has too many campaigns that have not ended.
  static var pushCampaignsMany: Self { ServerError.Code("server-push-campaigns-many", exit: .tryAgain) }
}
