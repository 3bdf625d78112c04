package import MPaaSSupport

/// The errors of profiles.
package enum ProfileDomain {}
/// The reason why bytes are not the profile that they should be, or a profile is not what was asked of it.
package typealias ProfileError = CodedError<ProfileDomain>

extension CodedError.Code where Domain == ProfileDomain {
  package static var unknownFormat: Self { malformed("profile-format-unknown") }
  package static var notJSON: Self { malformed("profile-not-json") }
  package static var badMember: Self { malformed("profile-bad-member") }
  package static var badLine: Self { malformed("profile-bad-line") }
  package static var badMessage: Self { malformed("profile-bad-message") }
  package static var badCompression: Self { malformed("profile-bad-compression") }
  package static var tooDeep: Self { malformed("profile-too-deep") }
  package static var badWeight: Self { malformed("profile-bad-weight") }
  package static var withoutStacks: Self { malformed("profile-without-stacks") }
  package static var tooLarge: Self { malformed("profile-too-large") }
  package static var typesDiffer: Self { Self("profile-types-differ", exit: .usage) }
  package static var unbalanced: Self { malformed("profile-unbalanced") }
}
