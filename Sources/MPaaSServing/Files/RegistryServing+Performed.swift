package import MPaaSSupport
package import MPaaSTerminal
import MPaaSTransferTools
package import ServingKit

extension RegistryServing: PerformedWork {
  package func perform(in context: Context, results: ResultSink) throws -> ExitStatus {
    let files = StaticFiles(root: root, folders: folders) { cacheTimes[$0] ?? cacheTime }
    return try HTTPServing(on: listen, .paths(files.answer)) { ServedRegistry(url: $0) }.run(in: context, results)
  }
}

/// The announcement of `mpaas registry serve` when it is ready.
struct ServedRegistry: Presentable {
  let url: String
  let metadata: String
  let targets: String

  init(url: String) {
    self.url = url
    metadata = url + "/metadata/"
    targets = url + "/targets/"
  }

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.registry-serving", ["metadata": metadata, "targets": targets])))]
  }
}
