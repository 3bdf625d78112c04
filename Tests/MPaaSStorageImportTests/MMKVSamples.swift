import Foundation

/// Files that MMKV 2.4.2 wrote on Linux, cut behind their content: `plain`, `secret` with the key "sixteen byte key",
/// `short` with the key "short", all with the same values, and `expiring`, one of whose values has expired.
enum MMKVSamples {
  static let plain = bytes(
    """
    AAAAALWeoTsDeWVzAQECbm8BAAhsYXVuY2hlcwEDBWJlbG93Cvv//////////wEEdGltZQaA0JX/vDEEaGFsZggAAAAAAAAEQAVmbG9hdAQAAMA/\
    BG5hbWUHBkFubiDDqQVlbXB0eQEABGdvbmUBAQRnb25lAAVieXRlcwQD/wCABGxvbmeuAqwCeHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\
    eHh4eHh4eHh4eHh4eHh4eHh4CGxhdW5jaGVzAQQ=
    """)
  static let plainMeta = bytes(
    """
    O0JphgQAAAABAAAAAAAAAAAAAAAAAAAAAAAAAL0BAAAEAAAAwpBy+gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
    """)
  static let secret = bytes(
    """
    AAAAAAJS2D67zYawG4DLZhYxFmuOjjojdxR9Aejdmc4WQZQe2sr9UxI6DeHvDNB4maY2rZeQvPIV8zx4QD/3ted+ZHMcTeMLM2JcfqWFyHAQkXQ0\
    5HsA/6ByVRTcQXEOYNljYhhsgDCpJvKjPylKONnkGGYnCZJtD7hLXCt7jxigkHcCl+VuQ9D/Xt/rBFuk1amCz6X67cxJbO04uc5v0kZes/mUGQZz\
    rjFJDmm5cfMnMlfjFRd2I9m2aG1uM+81cWxpFqfmYXRo/aIaPHYtgy0tyrBNTucwqKV0VxB/3AomOr8Mt+E6a/6kIdzgMgnNJmAADgaETWH6geFk\
    lA+hB9/9Veva6n7H74siAzY0VaGo0Ar3LHPKoP8BEDU3hbiWUxA0tVxKmnE4egfJ8PED9TWFkm7ZOImDqbT9RAiLt5TKJYx2M9PLKArZNbQmTRbW\
    cDbN6F9gciN2BGgicgVDZ8AuS+Ol0Y1E3ZgZlQIpl87ApFVnNCXE2WlSs85rE6mtwuwvjqvk6709/e9bC6X5HNO1S7W/WdNvz94wzRyOMnAvRd13\
    ghlpMwbzhw5dhCIEWtVRNaJRZo3t8h51om87+8Q=
    """)
  static let secretMeta = bytes(
    """
    2dlS4wQAAAABAAAA/OAQJY2NC0ArzObpZBsRX70BAAAEAAAA9b/1bAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
    """)
  static let short = bytes(
    """
    AAAAALZRDz/FrT4UHqwbnt5B5SxKhl+/gQu5DVCUxwI5h5syqvQWaBRKyAucV8PZJ+Gi9WjbaalIl69+xbh8b4K4ZVug6jK7vFWJRTY8TvDg1vHm\
    zErXNImAjlDMMPvnQvqeEVckb+adIlul6+N0qmxCQsBqHCzMhGENEbocZP2qWUrPO74suRWTKeT2IiE8CxW5VzCB+9n/ofxVQS4FS4AKA1fon723\
    uPtuVzgVWDwYiv9YAgaQqAJYtwc43VIxUret0cKyTmyC9DW/mwgboP1M6+IhBtxTbNfbUSFnzpSlkmJHq0z/rQ1J2JmpSErzGMPDiRYnakWVjWBq\
    51uA4Xcp0HrZgqAO3kMozj5s76W+98LPxhFMrC1dFOfWwrsFTvNxhK2xRQQ4EU7Gcnr5bg5vfTuHv1J6UuoKF2pG1EIeEfa58CP/5jRRCx040aMe\
    S/47CTRK9U+FfVX6RGoSJUzWZF2RxbdJi1MrF9FZ8Q7Xxst0Sk98BS23IgsluZOy3Vlxi34ysija31/yYD5303gUWRzaRn5JqZyXTY3mWmvIxtFR\
    3xXP4Q8rqXkaG/t3n87IRo6LZIjCdvWEJBk//OM=
    """)
  static let shortMeta = bytes(
    """
    MM/rdAQAAAABAAAAezukAPkhchWhNvZr1zyyqb0BAAAEAAAAL7vdRQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
    """)
  static let expiring = bytes(
    """
    AAAAALWeoTsEa2VwdAUJAAAAAANvbGQFCHSGCms=
    """)
  static let expiringMeta = bytes(
    """
    XNKoyAQAAAACAAAAAAAAAAAAAAAAAAAAAAAAABkAAAAEAAAAwpBy+gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAA==
    """)

  private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
