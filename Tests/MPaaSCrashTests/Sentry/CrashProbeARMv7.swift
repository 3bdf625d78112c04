/// Addresses of the armv7 reports of CrashProbe 1.4.1 that Sentry's SDK sent, and what its dSYMs say of them.
///
/// - Source: getsentry/symbolic (MIT), `py/tests/res/ext/1.4.1/release/armv7`; lines by `llvm-dwarfdump --debug-line`.
enum CrashProbeARMv7 {
  /// A frame of the program's own code.
  struct OwnFrame: Sendable {
    let image: String
    /// The address in the image, as it stands in the report.
    let address: UInt64
    let isInnermost: Bool
    let file: String
    let line: Int
    /// The addresses of the line.
    let code: Range<UInt64>
    /// The number of frames of the reports are there.
    let count: Int
  }

  static let ownFrames: [OwnFrame] = rows.split(separator: "\n").compactMap { row in
    let fields = row.split(separator: " ").map(String.init)
    guard fields.count == 8, let address = UInt64(fields[1], radix: 16), let line = Int(fields[4]),
      let start = UInt64(fields[5], radix: 16), let end = UInt64(fields[6], radix: 16), let count = Int(fields[7])
    else { return nil }
    return OwnFrame(
      image: fields[0], address: address, isInnermost: fields[2] == "innermost", file: fields[3], line: line,
      code: start..<end, count: count)
  }

  /// The return addresses of each report's crashed thread.
  static let returnAddresses: [[UInt64]] = stacks.split(separator: "\n").map { line in
    line.split(separator: " ").flatMap { field in
      let parts = field.split(separator: "*")
      let address = UInt64(parts[0], radix: 16) ?? 0
      return [UInt64](repeating: address, count: parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
    }
  }

  private static let rows = """
    CrashLibiOS 5923 caller CRLCrashNSLog.m 41 5912 5922 1
    CrashProbeiOS d1e1 caller CRLDetailViewController.m 53 d1ce d1e6 17
    CrashProbeiOS b68d caller main.m 16 b680 b68e 17
    CrashLibiOS 5e1a innermost CRLCrashTrap.m 37 5e1a 5e1c 1
    CrashLibiOS 5e6d caller CRLCrashAbort.m 37 5e68 5e6c 1
    CrashLibiOS 5ee3 caller CRLCrashCorruptMalloc.m 46 5eda 5ee2 1
    CrashLibiOS 5f7b caller CRLCrashCorruptObjC.m 70 5f72 5f84 1
    CrashLibiOS 5a29 caller CRLCrashObjCMsgSend.m 47 59a0 5a32 1
    CrashLibiOS 56b3 caller CRLCrashAsyncSafeThread.m 41 56aa 56b2 1
    CrashLibiOS 5f8a innermost CRLFramelessDWARF.m 35 5f86 5f8c 1
    CrashLibiOS 5c92 innermost CRLCrashNULL.m 37 5c90 5c94 1
    CrashLibiOS 5d16 innermost CRLCrashGarbage.m 48 5d14 5d18 1
    CrashLibiOS 5bf6 innermost CRLCrashPrivInst.m 42 5bf4 5bf8 1
    CrashLibiOS 5c42 innermost CRLCrashUndefInst.m 42 5c42 5c46 1
    CrashLibiOS 5b47 caller CRLCrashReleasedObject.m 53 5b40 5b50 1
    CrashLibiOS 5aeb caller CRLCrashReleasedObject.m 49 5ab6 5aea 1
    CrashLibiOS 608a innermost CRLCrashOverwriteLinkRegister.m 53 608a 608c 1
    CrashLibiOS 6087 caller CRLCrashOverwriteLinkRegister.m 49 6080 6088 1
    CrashLibiOS 60ef innermost CRLCrashSmashStackBottom.m 55 60ee 60f2 1
    CrashLibiOS 6157 innermost CRLCrashSmashStackTop.m 55 6156 615a 1
    CrashLibiOS 5dae innermost CRLCrashStackGuard.m 38 5dae 5db2 1
    CrashLibiOS 5dc3 caller CRLCrashStackGuard.m 39 5db2 5dc2 99
    CrashLibiOS 6220 innermost CRLCrashSwift.swift 36 6220 6224 1
    CrashLibiOS 58c7 caller CRLCrashObjCException.m 41 58b0 58c6 1
    CrashLibiOS 5ba8 innermost CRLCrashROPage.m 42 5b9c 5baa 1
    """

  private static let stacks = """
    24bf544d 23e8b0e9 23e89685 23ea0c6b 24b36dad 24b36d2f 199923 811e1 2754982b 275497d1 27534375 27549211 2750d677 \
    27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f 23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 \
    7f68d
    b81e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 b668d
    32e47c8b 32d658c1 1a3e6d 8b1e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff \
    275173b7 23e7d00f 23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 8968d
    32e47c8b 32d658c1 32df839b 32df8649 32df0153 32deef7b 32deee6b 32df24c7 32d1ddcd 32d1dce5 32d1dcb9 32d0c501 \
    32d0bc1f 32d0b8b3 32d0b3ed 23ea0f4d 23ea0cdd 24b36dad 24b36d2f 1c2ee3 aa1e1 2754982b 275497d1 27534375 27549211 \
    2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f 23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 \
    27578445 a868d
    32739107 32738f3f 3273f1f9 19ff7b 871e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 \
    2778f0ff 275173b7 23e7d00f 23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 8568d
    14fa29 371e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 3568d
    32e4792d*2 1f66b3 de1e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff \
    275173b7 23e7d00f 23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 dc68d
    1a5ff8
    a21e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 a068d
    32db400b 591e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 \
    23e7d00f 23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 5768d
    dc1e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 da68d
    b11e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 af68d
    7e1e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 7c68d
    188b47 188aeb 701e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 \
    23e7d00f 23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 6e68d
    1f3087 da1e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 d868d
    1b1dc3*99
    f31e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 f168d
    32732c77 1e18c7 c91e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 \
    23e7d00f 23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 c768d 32d00aaf
    b31e1 2754982b 275497d1 27534375 27549211 2750d677 27542eed 275427dd 275189b5 2778f0ff 275173b7 23e7d00f \
    23e7c423 23e7aaa1 23dc66d1 23dc64e3 2b7711a9 27578445 b168d
    """
}
