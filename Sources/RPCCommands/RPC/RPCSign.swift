import ArgumentParser
import CommandKit
import MPaaSSigning
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RPCCommand {
  /// `mpaas rpc sign [REQUEST]`: the signature of a call or a request, and the header fields that carry it.
  struct Sign: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("sign", key: "rpc.sign") }

    @OptionGroup var request: RPCRequestOptions
    @OptionGroup var key: RPCKeyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard key.sign != nil else { throw ValidationError(Catalogue.current.text("text.rpc-sign-algorithm")) }
    }

    func run(in context: Context) async throws -> RPCSignatureView {
      let moment = Int64((context.now().timeIntervalSince1970 * 1000).rounded(.down))
      let signed = try request.signingRequest(in: context, at: moment)
      let form = request.form(of: signed)
      let signer = try key.requestSigner(form.form, in: context)
      return RPCSignatureView(
        signed, form, signer.algorithm, try signer.form.bytes(of: signed), try signer.signature(of: signed),
        keyName: key.keyName)
    }
  }

  /// `mpaas rpc verify [REQUEST]`: whether the signature of a call or a request is good.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "rpc.verify") }

    @OptionGroup var request: RPCRequestOptions

    @Option(help: .text("command.rpc.verify.signature", valueName: "signature"))
    var signature: String?

    @OptionGroup var key: RPCKeyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard key.sign != nil else { throw ValidationError(Catalogue.current.text("text.rpc-sign-algorithm")) }
    }

    func run(in context: Context) async throws -> RPCVerificationView {
      let signed = try request.signingRequest(in: context, at: nil)
      let form = request.form(of: signed)
      let name = form == .operation ? CallPart.signatureHeader : BackEndForm.signatureHeader
      let header = signed.headers.first { $0.name.lowercased() == name.lowercased() }?.value
      let parameter = (signed.form + signed.query).first { $0.name == CallPart.signatureParameter }?.value
      guard let given = signature ?? header ?? (form == .operation ? parameter : nil) else {
        throw ValidationError(Catalogue.current.text("text.rpc-no-signature", ["header": name]))
      }
      let signer = try key.requestSigner(form.form, in: context)
      let text = try signer.form.bytes(of: signed)
      return RPCVerificationView(
        isValid: signer.verifies(given, ofText: text), form: form.rawValue, algorithm: signer.algorithm.rawValue,
        text: String(decoding: text, as: UTF8.self))
    }
  }
}

/// A signature with the text that it covers, and the header fields that carry it.
struct RPCSignatureView: Presentable {
  struct Field: Encodable, Sendable {
    let name: String
    let value: String
  }

  let form: String
  let algorithm: String
  let signature: String
  let headers: [Field]
  let text: String

  init(
    _ request: SigningRequest, _ form: SignedForm, _ algorithm: SigningAlgorithm, _ text: [UInt8], _ signature: String,
    keyName: String?
  ) {
    self.form = form.rawValue
    self.algorithm = algorithm.rawValue
    self.signature = signature
    self.text = String(decoding: text, as: UTF8.self)
    var fields: [Field] = []
    if form == .operation {
      for part in CallPart.allCases {
        guard let header = part.header, let value = part.value(in: request) else { continue }
        fields.append(Field(name: header, value: value))
      }
      fields.append(Field(name: CallPart.signatureHeader, value: signature))
      fields.append(Field(name: CallPart.algorithmHeader, value: algorithm.rawValue))
    } else {
      fields.append(Field(name: BackEndForm.signatureHeader, value: signature))
      if let keyName { fields.append(Field(name: BackEndForm.keyNameHeader, value: keyName)) }
    }
    headers = fields
  }

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: headers.map { StyledText(verbatim: "\($0.name): \($0.value)") })
  }
}

/// The answer to the question whether a signature is good.
struct RPCVerificationView: Presentable {
  let isValid: Bool
  let form: String
  let algorithm: String
  let text: String

  private enum CodingKeys: String, CodingKey {
    case isValid = "valid"
    case form, algorithm, text
  }

  var exit: ExitStatus { isValid ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["algorithm": algorithm, "form": form]
    guard !isValid else { return [.line(StyledText(catalogue.text("text.rpc-signature-valid", values), .good))] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(verbatim: "  \($0)") }
    return Document(lines: [StyledText(catalogue.text("text.rpc-signature-wrong", values), .bad)] + lines)
  }
}
