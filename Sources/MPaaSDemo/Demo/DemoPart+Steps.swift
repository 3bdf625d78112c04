extension DemoPart {
  /// Keys without a passphrase, so that nothing is asked: `release` signs, `payload` decrypts.
  static let keys = [
    DemoStep("mpaas key generate --unencrypted --name release"),
    DemoStep("mpaas key generate --unencrypted --name payload --type age"),
  ]

  /// The files that the part starts from, by their paths below the demo's folder.
  var files: [String: String] {
    switch self {
    case .modules:
      DemoModule.all.reduce(into: ["Shop/mpaas.toml": Self.project]) { files, module in
        files.merge(module.files(for: DemoPlatform.line)) { $1 }
      }
    case .patch: DemoPatch.files
    case .crash, .server: [:]
    }
  }

  /// The commands that make the part.
  var steps: [DemoStep] {
    switch self {
    case .modules:
      [
        DemoStep("mpaas registry init registry --key release"),
        DemoStep("mpaas registry pack --output packed " + DemoModule.all.map(\.folder).joined(separator: " ")),
        DemoStep(
          "mpaas registry add --repository registry --key release "
            + DemoModule.all.map { "packed/\($0.archive)" }.joined(separator: " ")),
      ]
    case .patch: [DemoStep("orderbook --symbols", output: "symbols.json")]
    case .crash:
      [
        DemoStep("orderbook --report-to crashes", crashes: true),
        DemoStep("orderbook --report-to crashes --orders 300"),
      ]
    case .server: [Self.upload]
    }
  }

  private static let project = """
    [project]
    name = "Shop"
    platform = "\(DemoPlatform.name)"
    minimum = "\(DemoPlatform.minimum)"

    """

  /// Starts a server on a port of its own, hands it the report, and ends it.
  private static var upload: DemoStep {
    var step = DemoStep(["sh", "-c", script])
    step.summary = "mpaas serve --data data & mpaas crash upload crashes"
    return step
  }

  private static let script = """
    mpaas serve --data data --listen 127.0.0.1:0 --json >server.json &
    server=$!
    trap 'kill $server 2>/dev/null' EXIT
    trap 'exit 130' INT TERM HUP
    while ! grep -q '}' server.json; do
      kill -0 $server 2>/dev/null || { wait $server; exit; }
      sleep 0.1
    done
    field() { sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/" server.json; }
    field token >token
    mpaas crash upload crashes --server "$(field url)" --token-file token
    status=$?
    kill $server
    wait $server
    rm -f server.json token
    exit $status
    """
}
