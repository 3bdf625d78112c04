/// The rules of a queue, and how it reaches servers.
public struct TransferOptions: Sendable {
  /// Transfers that go at the same time.
  public var parallel = 3
  /// Bytes a second at most of all transfers together; nil: no limit.
  public var rate: Int64?
  /// Bytes that may go over a mobile network in a day; nil: no limit.
  public var cellularQuota: Int64?
  /// Transfers wait while the battery has less than this (0…1), where nothing charges it; nil: no rule.
  public var leastBattery: Double?
  /// Failures one after another after which a transfer rests for `rest` seconds, and then goes on.
  public var failuresBeforeRest = 10
  /// The seconds that a transfer rests after `failuresBeforeRest` failures.
  public var rest: Double = 600
  /// Seconds that the pauses between attempts begin and end with; each is a random part of twice the one before.
  public var firstPause: Double = 1
  /// The longest pause between attempts, in seconds.
  public var longestPause: Double = 60
  /// Days that what is done, failed or cancelled stays in the list.
  public var keptDays: Double = 7
  /// Added to each request to a server, by its URL: `Authorization` and the like, which stand in no file.
  public var headers: @Sendable (_ url: String) -> [String: String] = { _ in [:] }
  /// A file of certificates to trust instead of the system's.
  public var certificates: String?
  /// SHA-256 of public keys in Base64, one of which each server must have.
  public var pinnedKeys: [String] = []
  /// `http://`, `https://` or `socks5h://`; nil obeys the environment, empty uses none.
  public var proxy: String?
  /// `1.1`, `2` or `3`; nil leaves it to both ends.
  public var httpVersion: String?
  /// The text of the `User-Agent` header field.
  public var userAgent = "mpaas"
  /// The key of a store that speaks S3: identifier, secret, session token; nil reads the `AWS_…` variables.
  public var s3Key: (identifier: String, secret: String, token: String?)?
  /// The address of the store that speaks S3; nil reads `AWS_ENDPOINT_URL_S3`, then `AWS_ENDPOINT_URL`, else it is
  /// Amazon's.
  public var s3Endpoint: String?
  /// The region of the store that speaks S3; nil reads `AWS_REGION`, then `AWS_DEFAULT_REGION`, else it is `us-east-1`.
  public var s3Region: String?

  /// Makes options that have their default throughout.
  public init() {}
}
