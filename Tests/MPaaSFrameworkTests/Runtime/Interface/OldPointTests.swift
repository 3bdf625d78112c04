import Foundation
import MPaaSTestSupport
import Testing

/// The table in `Documentation/Framework.md` of old points and what stands for them.
@Suite("The table of old points") struct OldPointTests {
  /// The methods and events that the old manual lists, without those of the interface that the page says are left out.
  static let points = """
    mPaasInit appBriefName appBundleIdentifier appRCBundleIdentifier appUseSettingService
    appHotpatchScriptEncryptionKey appRemoteLogServerURL appRemoteLogProductId appDefaultUploadLogTypes
    appReportActiveMinIntervalSeconds appDelegateEvent  currentUserId
    currentSessionId loginSuccessNotificationName logoutNotificationName appSchemePatternName appSchemeHandlerClasses
    appPushProviderServerURL appPushAppId appDidReceiveRemoteNotification appRPCGatewayURL
    appRPCETagURL appRPCTimeoutInterval appRPCSignKey appRPCCommonInterceptorClassName appSyncServiceActive
    appSyncServiceAppName appSyncServiceConnectionURL appSyncServiceConnectionPort appHttpDNSHosts
    appDataCenterDefaultCryptKey mPaasAppEventBeforeDidFinishLaunching mPaasAppEventAfterDidFinishLaunching
    mPaasAppEventBeforeStartLoader mPaasAppEventDidReceiveRemoteNotification
    mPaasAppEventDidReceiveRemoteNotificationFetchCompletion mPaasAppEventDidFailToRegisterForRemoteNotifications
    mPaasAppEventDidReceiveLocalNotification mPaasAppEventQueryOpenURL mPaasAppEventWillResignActive
    mPaasAppEventDidEnterBackground mPaasAppEventWillEnterForeground mPaasAppEventDidBecomeActive
    mPaasAppEventWillTerminate mPaasAppEventHandleWatch handleRemoteNotifications
    """.split { $0.isWhitespace }.map(String.init)

  /// The rows: the names in the left and in the right column.
  static func rows() throws -> [(old: [String], new: [String])] {
    let text = try String(
      contentsOf: Fixture.package.appending(path: "Documentation/Framework.md"), encoding: .utf8)
    let section = text.split(separator: "\n## ").first { $0.hasPrefix("The app's interface") } ?? ""
    return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { cell in
        cell.matches(of: #/`\.?([A-Za-z]+)[^`]*`/#).map { String($0.output.1) }
      }
      return (cells.first ?? [], cells.dropFirst().first ?? [])
    }
  }

  @Test("has a row for every point of the manual")
  func complete() throws {
    let known = Set(try Self.rows().flatMap(\.old))
    #expect(Self.points.filter { !known.contains($0) } == [])
  }

  @Test("names what is declared in the framework")
  func declared() throws {
    let root = Fixture.package.appending(path: "Sources/MPaaSFramework").resolvingSymlinksInPath()
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
    let source = try files.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }.joined()
    let rows = try Self.rows()
    #expect(rows.count >= 25)
    #expect(rows.allSatisfy { !$0.new.isEmpty })
    let names = Set(
      source.matches(of: #/(?:case|var|let|func|class|struct|protocol|enum) ([A-Za-z]+)/#).map { String($0.output.1) })
    #expect(rows.flatMap(\.new).filter { !names.contains($0) } == [])
  }
}
