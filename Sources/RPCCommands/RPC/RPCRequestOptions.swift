import ArgumentParser
import CommandKit
import MPaaSSigning
import MPaaSSupport
import MPaaSTerminal

/// The form of the text that is signed.
enum SignedForm: String, CaseIterable, ExpressibleByArgument {
  case operation
  case backEnd = "back-end"

  var form: any SigningForm {
    switch self {
    case .operation: OperationForm()
    case .backEnd: BackEndForm()
    }
  }
}

/// The request that is signed: a file, or the parts of a call.
struct RPCRequestOptions: ParsableArguments {
  @Argument(help: .text("command.rpc.sign.request", valueName: "file"), completion: .file())
  var request: String?

  @Option(help: .text("command.rpc.sign.form"))
  var form: SignedForm?

  @Option(help: .text("command.rpc.sign.operation", valueName: "name"))
  var operation: String?

  @Option(help: .text("command.rpc.sign.data", valueName: "file"), completion: .file())
  var data: String?

  @Option(help: .text("command.rpc.sign.ts", valueName: "milliseconds"))
  var ts: Int64?

  @Option(help: .text("command.rpc.app", valueName: "app-key"))
  var app: String?

  @Option(help: .text("command.rpc.workspace", valueName: "id"))
  var workspace: String?

  func validate() throws {
    guard (request == nil) != (operation == nil), request == nil || data == nil else {
      throw ValidationError(Catalogue.current.text("text.rpc-request-source"))
    }
  }

  /// The form that was named; else that of calls where the request names an operation, and that of servers where not.
  func form(of request: SigningRequest) -> SignedForm {
    form ?? (CallPart.operationType.value(in: request) == nil ? .backEnd : .operation)
  }

  /// The request, with the parts of the call that options give.
  ///
  /// - Parameter moment: Milliseconds since 1970, for a call that has none.
  /// - Throws: `SigningError`, `FileError`.
  func signingRequest(in context: Context, at moment: Int64?) throws -> SigningRequest {
    guard let file = request else {
      return SigningRequest(
        operationType: operation ?? "", timestamp: ts ?? moment ?? 0,
        requestData: try data.map { try context.data(at: $0).array } ?? Array("[]".utf8), appID: app,
        workspaceID: workspace)
    }
    var read = try SigningRequest(text: context.data(at: file).array)
    for (part, value) in [(CallPart.appID, app), (.workspaceID, workspace), (.timestamp, ts.map { String($0) })] {
      guard let header = part.header, let value else { continue }
      read.headers.removeAll { $0.name.lowercased() == header.lowercased() }
      read.headers.append(RequestField(header, value))
    }
    return read
  }
}
