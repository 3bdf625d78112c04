import CommandKit
import LogCommands
import MPaaSLogReading
import MPaaSTerminal
import MPaaSToolSupport

/// The things to do with a report next.
struct ReportHints {
  private let path: String
  private let context: Context

  init(_ path: String, in context: Context) {
    self.path = path.shellWord()
    self.context = context
  }

  var show: String { text("show") }
  var page: String { text("page") }

  /// With a place for the address where no server is known.
  var send: String {
    let isKnown = context.environment.variable("MPAAS_SERVER_URL") != nil || !context.servers.names.isEmpty
    return text(isKnown ? "send" : "send-to")
  }

  private func text(_ key: String) -> String { context.catalogue.text("text.crash-next-" + key, ["path": path]) }
}
