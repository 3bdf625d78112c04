package import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import MockServingKit
import NetworkServingKit
import PinyinServingKit
import PushServingKit
import ServingKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The life of one call of the second program: work of a command in, exit status out.
package enum ServingProgram {
  private static let kinds: [any PerformedWork.Type] = [
    LinkMeasurement.self, NetworkRun.self, NetworkServing.self, OwnReplay.self, PinyinServing.self,
    RegistryServing.self, SymbolsServing.self, PushDoubleServing.self, PushSending.self, MockServing.self,
  ]

  /// Does the work that was handed over, and returns the number that the process ends with.
  package static func main(_ bytes: Bytes) async -> Int32 {
    UnfinishedFiles.removeWhenInterrupted()
    ShortenedFiles.readAsZeros()
    CoreDumps.belongToProgram()
    let received = Result { try ReceivedWork(bytes) }
    let head = try? received.get().head
    let language = head.flatMap { Language(rawValue: $0.language) } ?? .english
    return await Language.$current.withValue(language) {
      let environment = ProcessInfo.processInfo.environment
      let terminal = Terminal(
        catalogue: .current, settings: head?.settings ?? OutputSettings(), environment: environment)
      let context = Context(terminal: terminal, environment: environment)
      do {
        return try await perform(try received.get(), in: context)
      } catch {
        return report(error, in: context)
      }
    }.rawValue
  }

  private static func perform(_ received: ReceivedWork, in context: Context) async throws -> ExitStatus {
    guard let kind = kinds.first(where: { $0.name == received.head.name }) else {
      throw Diagnostic("internal-fault", ["reason": received.head.name], exit: .internalFault)
    }
    return try await received.work(kind).perform(in: context, results: context.terminal.results)
  }

  private static func report(_ error: any Error, in context: Context) -> ExitStatus {
    if error is CancellationError { return .interrupted }
    let diagnostic =
      (error as? any DiagnosticConvertible)?.diagnostic
      ?? Diagnostic("internal-fault", ["reason": "\(error)"], exit: .internalFault)
    context.terminal.error(diagnostic)
    return diagnostic.exit
  }
}
