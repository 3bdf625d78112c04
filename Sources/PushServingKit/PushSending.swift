package import MPaaSProtocol
package import MPaaSPush
import ServingKit

/// Notifications that are sent to tokens, over HTTP/2.
package struct PushSending: ServedWork {
  package static let name = "push-send"

  /// The provider with all that its credential is made of.
  package enum Provider: Codable, Sendable {
    case apns(APNsNotification, key: KeyWords)
    /// A message for FCM, and the file of the service account.
    case fcm(FCMMessage, account: String)
  }

  /// A team's key as a call names it.
  package struct KeyWords: Codable, Sendable {
    package let file: String
    package let keyID: String
    package let team: String

    package init(file: String, keyID: String, team: String) {
      self.file = file
      self.keyID = keyID
      self.team = team
    }
  }

  /// The server that knows the installations, and is told which tokens have ended.
  package struct Registry: Codable, Sendable {
    package let url: String
    package let token: String?
    /// The file of authorities; nil for those of the system.
    package let certificates: String?
    package let environment: PushEnvironment?

    package init(url: String, token: String?, certificates: String?, environment: PushEnvironment?) {
      (self.url, self.token, self.certificates, self.environment) = (url, token, certificates, environment)
    }
  }

  package let provider: Provider
  /// The provider's address.
  package let address: String
  /// The address of the other environment, which tokens get once that this one does not know; nil for none.
  package let otherAddress: String?
  /// The file of authorities; nil for those of the system.
  package let authorities: String?
  package let tokens: [String]
  package var connections = 1
  /// Seconds after which an unanswered notification counts as unknown.
  package var patience = 30.0
  /// The most notifications in a second; nil for no limit.
  package var rate: Double?
  /// Attempts for what the provider is too busy for.
  package var attempts = 5
  /// The registry that the tokens are of; nil for tokens that were named.
  package var registry: Registry?

  package init(
    _ provider: Provider, to address: String, otherAddress: String?, authorities: String?, tokens: [String]
  ) {
    self.provider = provider
    self.address = address
    self.otherAddress = otherAddress
    self.authorities = authorities
    self.tokens = tokens
  }
}
