/// The kind that Xcode takes a file for, by the end of its name.
///
/// The words are those that Xcode writes as `lastKnownFileType`.
struct FileKind: Equatable {
  /// The build phase that a target has a file in.
  enum Phase: String, Sendable, CaseIterable {
    case sources, resources, frameworks, headers
    case embed
    case none
  }

  let type: String
  let phase: Phase

  init(path: String) {
    let name = path.split(separator: "/").last ?? ""
    let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    (type, phase) = Self.known[end] ?? (end.isEmpty ? ("text", .none) : ("file", .resources))
  }

  private static let known: [String: (type: String, phase: Phase)] = sources.merging(libraries) { $1 }
    .merging(wrappers) { $1 }.merging(texts) { $1 }.merging(media) { $1 }

  private static let sources: [String: (type: String, phase: Phase)] = [
    "swift": ("sourcecode.swift", .sources), "m": ("sourcecode.c.objc", .sources),
    "mm": ("sourcecode.cpp.objcpp", .sources), "c": ("sourcecode.c.c", .sources),
    "cpp": ("sourcecode.cpp.cpp", .sources), "cc": ("sourcecode.cpp.cpp", .sources),
    "cxx": ("sourcecode.cpp.cpp", .sources), "s": ("sourcecode.asm", .sources),
    "metal": ("sourcecode.metal", .sources), "y": ("sourcecode.yacc", .sources), "l": ("sourcecode.lex", .sources),
    "intentdefinition": ("file.intentdefinition", .sources), "mlmodel": ("file.mlmodel", .sources),
    "mlpackage": ("folder.mlpackage", .sources), "xcdatamodel": ("wrapper.xcdatamodel", .sources),
    "xcdatamodeld": ("wrapper.xcdatamodel", .sources), "docc": ("folder.documentationcatalog", .sources),
    "xcmappingmodel": ("wrapper.xcmappingmodel", .sources),
    "h": ("sourcecode.c.h", .headers), "hh": ("sourcecode.cpp.h", .headers), "hpp": ("sourcecode.cpp.h", .headers),
    "hxx": ("sourcecode.cpp.h", .headers), "pch": ("sourcecode.c.h", .none),
    "modulemap": ("sourcecode.module-map", .none), "js": ("sourcecode.javascript", .resources),
  ]

  private static let libraries: [String: (type: String, phase: Phase)] = [
    "framework": ("wrapper.framework", .frameworks), "xcframework": ("wrapper.xcframework", .frameworks),
    "a": ("archive.ar", .frameworks), "o": ("compiled.mach-o.objfile", .frameworks),
    "dylib": ("compiled.mach-o.dylib", .frameworks),
    "tbd": ("sourcecode.text-based-dylib-definition", .frameworks),
  ]

  private static let wrappers: [String: (type: String, phase: Phase)] = [
    "bundle": ("wrapper.plug-in", .resources), "app": ("wrapper.application", .none),
    "appex": ("wrapper.app-extension", .none), "xctest": ("wrapper.cfbundle", .none),
    "xcodeproj": ("wrapper.pb-project", .none), "xcassets": ("folder.assetcatalog", .resources),
    "icon": ("folder.iconcomposer.icon", .resources), "scnassets": ("wrapper.scnassets", .resources),
    "playground": ("file.playground", .none), "xcappdata": ("file.xcappdata", .none),
    "rkassets": ("folder.rkassets", .resources), "storekit": ("text", .none),
  ]

  private static let texts: [String: (type: String, phase: Phase)] = [
    "plist": ("text.plist.xml", .resources), "strings": ("text.plist.strings", .resources),
    "stringsdict": ("text.plist.stringsdict", .resources), "xcstrings": ("text.json.xcstrings", .resources),
    "storyboard": ("file.storyboard", .resources), "xib": ("file.xib", .resources),
    "json": ("text.json", .resources), "html": ("text.html", .resources), "css": ("text.css", .resources),
    "xml": ("text.xml", .resources), "txt": ("text", .resources), "csv": ("text", .resources),
    "xcprivacy": ("text.xml", .resources), "rtf": ("text.rtf", .resources), "lua": ("text", .resources),
    "geojson": ("text.json", .resources), "gpx": ("text.xml", .none), "yaml": ("text.yaml", .resources),
    "yml": ("text.yaml", .resources), "xcconfig": ("text.xcconfig", .none),
    "entitlements": ("text.plist.entitlements", .none), "xctestplan": ("text", .none),
    "md": ("net.daringfireball.markdown", .none), "markdown": ("net.daringfireball.markdown", .none),
    "sh": ("text.script.sh", .none), "py": ("text.script.python", .none), "rb": ("text.script.ruby", .none),
    "pl": ("text.script.perl", .none), "podspec": ("text", .none),
  ]

  private static let media: [String: (type: String, phase: Phase)] = [
    "png": ("image.png", .resources), "jpg": ("image.jpeg", .resources), "jpeg": ("image.jpeg", .resources),
    "gif": ("image.gif", .resources), "pdf": ("image.pdf", .resources), "svg": ("image.svg", .resources),
    "tiff": ("image.tiff", .resources), "icns": ("image.icns", .resources), "heic": ("image.heic", .resources),
    "mp3": ("audio.mp3", .resources), "wav": ("audio.wav", .resources), "aiff": ("audio.aiff", .resources),
    "mov": ("video.quicktime", .resources), "zip": ("archive.zip", .resources),
  ]
}
