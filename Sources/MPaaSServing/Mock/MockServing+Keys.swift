import MPaaSSigning
import MPaaSSupport
import MockServingKit
import ServingKit

extension MockServing {
  /// The signers of the calls, by app.
  ///
  /// - Throws: `mock-sign-key`; `SigningError` and `FileError` where a key cannot be read.
  func signers(in context: Context) throws -> [String: [RequestSigner]] {
    var signers: [String: [RequestSigner]] = [:]
    for key in signingKeys {
      guard let algorithm = SigningAlgorithm(rawValue: key.algorithm), !key.app.isEmpty else {
        throw Diagnostic("mock-sign-key", ["word": key.algorithm], exit: .usage)
      }
      var text = try context.data(at: key.file).text
      // The line end of an editor is no part of a secret.
      while !algorithm.isAsymmetric, text.last?.isNewline == true { text.removeLast() }
      let material = algorithm.isAsymmetric ? try RequestKey(pem: text) : try RequestKey(secret: text)
      signers[key.app, default: []].append(try RequestSigner(algorithm, key: material))
    }
    return signers
  }
}
