import MPaaSSupport

extension CodedError<ServerDomain>.Code {
  /// The first line of an envelope is no JSON object.
  static var envelopeHeader: Self { .malformed("envelope-header") }
  /// An item of an envelope has no line of headers with a type and a length.
  static var envelopeItem: Self { .malformed("envelope-item") }
  /// An item's payload ends before its length.
  static var envelopeCut: Self { .malformed("envelope-cut") }
  /// More items than an envelope may have.
  static var envelopeItems: Self { .malformed("envelope-items") }
  /// A form whose parts cannot be told apart.
  static var multipartMalformed: Self { .malformed("multipart-malformed") }
  /// A form that has no end.
  static var multipartCut: Self { .malformed("multipart-cut") }
  /// A request for a minidump that has none.
  static var minidumpMissing: Self { .malformed("minidump-missing") }
  /// The error for an event that is no JSON object.
  static var eventMalformed: Self { .malformed("event-malformed") }
  /// A report of no format that is read.
  static var reportUnknown: Self { .malformed("crash-report-unknown") }
  /// A stored report whose bytes are not what was written.
  static var reportDamaged: Self { .malformed("stored-report-damaged") }
}

extension CodedError<ServerDomain>.Code {
  /// No app has this key.
  static var appKey: Self { .refused("server-app-key") }
}
