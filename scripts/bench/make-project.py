"""Writes an Xcode project of about so many megabytes, laid out as Xcode does: make-project.py MEGABYTES FILE"""
import sys

size = float(sys.argv[1]) * 1e6
count = int(size / 432)


def number(kind, index):
    return f"{kind:02X}{index:022X}"


with open(sys.argv[2], "w") as out:
    w = out.write
    w("// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n\tclasses = {\n\t};\n\tobjectVersion = 56;\n\tobjects = {\n")
    w("\n/* Begin PBXBuildFile section */\n")
    for i in range(count):
        w(f"\t\t{number(1, i)} /* Source{i}.swift in Sources */ = {{isa = PBXBuildFile; "
          f"fileRef = {number(2, i)} /* Source{i}.swift */; }};\n")
    w("/* End PBXBuildFile section */\n\n/* Begin PBXFileReference section */\n")
    for i in range(count):
        w(f"\t\t{number(2, i)} /* Source{i}.swift */ = {{isa = PBXFileReference; "
          f"lastKnownFileType = sourcecode.swift; path = Source{i}.swift; sourceTree = \"<group>\"; }};\n")
    w("/* End PBXFileReference section */\n\n/* Begin PBXGroup section */\n")
    groups = range((count + 99) // 100)
    w(f"\t\t{number(3, 0)} = {{\n\t\t\tisa = PBXGroup;\n\t\t\tchildren = (\n")
    for g in groups:
        w(f"\t\t\t\t{number(3, g + 1)} /* Group{g} */,\n")
    w("\t\t\t);\n\t\t\tsourceTree = \"<group>\";\n\t\t};\n")
    for g in groups:
        w(f"\t\t{number(3, g + 1)} /* Group{g} */ = {{\n\t\t\tisa = PBXGroup;\n\t\t\tchildren = (\n")
        for i in range(g * 100, min(g * 100 + 100, count)):
            w(f"\t\t\t\t{number(2, i)} /* Source{i}.swift */,\n")
        w(f"\t\t\t);\n\t\t\tpath = Group{g};\n\t\t\tsourceTree = \"<group>\";\n\t\t}};\n")
    w("/* End PBXGroup section */\n\n/* Begin PBXNativeTarget section */\n")
    targets = range(max(1, count // 1000))
    for t in targets:
        w(f"\t\t{number(4, t)} /* App{t} */ = {{\n\t\t\tisa = PBXNativeTarget;\n\t\t\tbuildConfigurationList = "
          f"{number(7, t + 1)} /* Build configuration list for PBXNativeTarget \"App{t}\" */;\n\t\t\tbuildPhases = (\n"
          f"\t\t\t\t{number(5, t)} /* Sources */,\n\t\t\t);\n\t\t\tbuildRules = (\n\t\t\t);\n\t\t\tdependencies = (\n"
          f"\t\t\t);\n\t\t\tname = App{t};\n\t\t\tproductName = App{t};\n"
          f"\t\t\tproductType = \"com.apple.product-type.library.static\";\n\t\t}};\n")
    w("/* End PBXNativeTarget section */\n\n/* Begin PBXProject section */\n")
    w(f"\t\t{number(9, 0)} /* Project object */ = {{\n\t\t\tisa = PBXProject;\n\t\t\tbuildConfigurationList = "
      f"{number(7, 0)} /* Build configuration list for PBXProject \"Big\" */;\n\t\t\tmainGroup = {number(3, 0)};\n"
      "\t\t\ttargets = (\n")
    for t in targets:
        w(f"\t\t\t\t{number(4, t)} /* App{t} */,\n")
    w("\t\t\t);\n\t\t};\n/* End PBXProject section */\n\n/* Begin PBXSourcesBuildPhase section */\n")
    for t in targets:
        w(f"\t\t{number(5, t)} /* Sources */ = {{\n\t\t\tisa = PBXSourcesBuildPhase;\n"
          "\t\t\tbuildActionMask = 2147483647;\n\t\t\tfiles = (\n")
        for i in range(t, count, len(targets)):
            w(f"\t\t\t\t{number(1, i)} /* Source{i}.swift in Sources */,\n")
        w("\t\t\t);\n\t\t\trunOnlyForDeploymentPostprocessing = 0;\n\t\t};\n")
    w("/* End PBXSourcesBuildPhase section */\n\n/* Begin XCBuildConfiguration section */\n")
    for t in range(len(targets) + 1):
        w(f"\t\t{number(6, t)} /* Debug */ = {{\n\t\t\tisa = XCBuildConfiguration;\n\t\t\tbuildSettings = {{\n"
          "\t\t\t\tSDKROOT = iphoneos;\n\t\t\t\tSWIFT_VERSION = 6.0;\n\t\t\t};\n\t\t\tname = Debug;\n\t\t};\n")
    w("/* End XCBuildConfiguration section */\n\n/* Begin XCConfigurationList section */\n")
    for t in range(len(targets) + 1):
        owner = "PBXProject \"Big\"" if t == 0 else f"PBXNativeTarget \"App{t - 1}\""
        w(f"\t\t{number(7, t)} /* Build configuration list for {owner} */ = {{\n\t\t\tisa = XCConfigurationList;\n"
          f"\t\t\tbuildConfigurations = (\n\t\t\t\t{number(6, t)} /* Debug */,\n\t\t\t);\n"
          "\t\t\tdefaultConfigurationIsVisible = 0;\n\t\t\tdefaultConfigurationName = Debug;\n\t\t};\n")
    w("/* End XCConfigurationList section */\n\t};\n"
      f"\trootObject = {number(9, 0)} /* Project object */;\n}}\n")
