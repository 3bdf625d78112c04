import HTTPTypes
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension Refusal {
  /// The refusal of what is asked of modules, with the steps of its explanation.
  ///
  /// - Parameter status: nil takes the one that goes with the error's exit status.
  init(_ error: ModuleError, status: HTTPResponse.Status? = nil) {
    self.init(
      ServerError(ServerError.Code(error.code.id, exit: error.code.exit), error.values),
      status: status ?? Self.status(of: error))
    details = error.details
  }

  private static func status(of error: ModuleError) -> HTTPResponse.Status {
    // Faults of what an app asks for.
    if error.code.id.name.hasPrefix("project-") { return .badRequest }
    return switch error.code.exit {
    case .usage, .badConfiguration: .badRequest
    case .inputMissing: .notFound
    // No versions fit together.
    case .negative: .conflict
    // Registries are not to be trusted, or do not answer.
    case .notPermitted, .malformedInput: .badGateway
    case .unreachable, .tryAgain: .serviceUnavailable
    default: .internalServerError
    }
  }

  /// The steps of the explanation in words; changes that help without the commands that somebody at a shell would type.
  func explanation(in catalogue: Catalogue) -> [String] {
    details.map { detail in
      guard detail.key.hasSuffix(Self.typed) else { return catalogue.text(detail.key, detail.values) }
      return "– " + catalogue.text(String(detail.key.dropLast(Self.typed.count)), detail.values)
    }
  }

  private static let typed = "-typed"
}
