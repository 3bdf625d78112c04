"""The package's manifest as `swift package dump-package` prints it, for scripts beside this file."""

import json
import os
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


class Package:
    """The targets of the manifest and what they depend on."""

    def __init__(self, printed=None):
        """Reads what was printed into a file, or has the manifest printed."""
        if printed:
            with open(printed) as file:
                text = file.read()
        else:
            dump = subprocess.run(
                ["swift", "package", "--package-path", ROOT, "dump-package"], capture_output=True, text=True)
            if dump.returncode:
                sys.exit(dump.stderr)
            text = dump.stdout
        self.all = json.loads(text)
        self.targets = {target["name"]: target for target in self.all["targets"]}
        self.libraries = {
            product["name"]: product["targets"] for product in self.all["products"] if "library" in product["type"]}

    def folder(self, name):
        """The folder of a target, as seen from the root."""
        target = self.targets[name]
        return target.get("path") or os.path.join("Tests" if target["type"] == "test" else "Sources", name)

    def sources(self, name):
        """The absolute paths of a target's Swift files."""
        target, base = self.targets[name], os.path.join(ROOT, self.folder(name))
        starts = [os.path.join(base, part) for part in target.get("sources") or [""]]
        excluded = [os.path.normpath(os.path.join(base, part)) for part in target.get("exclude", [])]
        found = [start for start in starts if os.path.isfile(start)]
        for start in starts:
            for folder, folders, files in os.walk(start, followlinks=True):
                # What tutorials show is no part of the target.
                folders[:] = [name for name in folders if not name.endswith(".docc")]
                found += [os.path.join(folder, file) for file in files if file.endswith(".swift")]
        return sorted(
            path for path in map(os.path.normpath, found)
            if path.endswith(".swift") and not any(path == one or path.startswith(one + os.sep) for one in excluded))

    def is_swift(self, name):
        return self.targets[name]["type"] in ("regular", "executable") and bool(self.sources(name))

    def is_system(self, name):
        return self.targets[name]["type"] == "system"

    def dependencies(self, name):
        """The targets of ours that a target depends on."""
        found = [(each.get("byName") or each.get("target") or [None])[0] for each in self.targets[name]["dependencies"]]
        return [each for each in found if each in self.targets]

    def products(self, name):
        """The products of other packages that a target depends on on Apple's systems, and the packages."""
        own = {each["platformName"] for each in self.all["platforms"]}
        found = [each["product"] for each in self.targets[name]["dependencies"] if "product" in each]
        systems = {product: set((condition or {}).get("platformNames", [])) for product, _, _, condition in found}
        return {product: package for product, package, *_ in found if not systems[product] or systems[product] & own}

    def closure(self, names):
        """The targets and all that they need, each behind what it needs."""
        ordered = []

        def visit(name):
            if name in ordered:
                return
            for dependency in self.dependencies(name):
                visit(dependency)
            ordered.append(name)

        for name in names:
            visit(name)
        return ordered
