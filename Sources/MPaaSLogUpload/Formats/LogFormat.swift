/// The kinds of files of logs.
package enum LogFormat: String, Sendable, Codable, CaseIterable {
  case mplog
  case logan
  case xlog
  case json
  case syslog
  case text
}
