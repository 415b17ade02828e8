#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fields.py ROOT: each struct of src/ is touched only by the files of its own folder.

LAYERS says which folder may include which. This lint says the same of data: a file of src/ that names a field must be
in the folder that declares the struct. Structs in the public headers are open to all. Two kinds of lines in LAYERS say
more:

    owner include/filch/detail src/task   structs in these headers belong to that folder
    open struct...                        all may name the fields: parameters, results, tables of functions

A use counts where the name is spelled: in a macro, where the macro is defined. An initializer without names, such as
{1, 2}, uses all fields of its struct; {0} uses none. Each source is parsed as it is shipped and as it is checked, so that
no #ifdef hides a use. Exit 77: there is no libclang.
"""
import os
import re
import sys

try:
    from clang import cindex
    index = cindex.Index.create()
except Exception as error:  # the module, or the library behind it
    print(f"skipped: no libclang ({error})")
    sys.exit(77)

root = os.path.realpath(sys.argv[1])
FIELD_USES = (cindex.CursorKind.MEMBER_REF_EXPR, cindex.CursorKind.MEMBER_REF)


owners, allowed = {}, set()


def read_layers():
    with open(os.path.join(root, "LAYERS"), encoding="utf-8") as layers:
        for line in layers:
            words = line.split("#")[0].split()
            if words[:1] == ["open"]:
                allowed.update(words[1:])
            elif words[:1] == ["owner"]:
                owners[words[1]] = words[2]


def folder_of(path):
    """The folder that owns a file: None for what is open or not ours. The longest line `owner` decides."""
    relative = os.path.relpath(os.path.realpath(path), root)
    part = relative
    while part:
        if part in owners:
            return owners[part]
        part = os.path.dirname(part)
    return os.path.dirname(relative) if relative.startswith("src/") else None


texts = {}


def text_at(location):
    """The source from a location to the end of the statement."""
    if location.file is None:
        return ""
    path = location.file.name
    if path not in texts:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            texts[path] = file.read().encode()
    return texts[path][location.offset:].split(b";", 1)[0].decode()


def macros_of(unit):
    """Each macro: the file and the line that define it, and the words of its text."""
    found = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind == cindex.CursorKind.MACRO_DEFINITION and cursor.location.file is not None:
            words = {token.spelling for token in list(cursor.get_tokens())[1:]}
            found[cursor.spelling] = (cursor.location.file.name, cursor.location.line, words)
    return found


def definition_with(macros, name, field, seen):
    """The macro that has the name of the field in its text: this one, or one that it uses."""
    if name in seen or name not in macros:
        return None
    seen.add(name)
    path, line, words = macros[name]
    if field in words:
        return path, line
    for word in words:
        place = definition_with(macros, word, field, seen)
        if place:
            return place
    return None


def spelled_at(location, field, macros):
    """Where the name of the field is written: in the source, or in a macro that the source uses."""
    here = (location.file.name if location.file else ""), location.line
    text = text_at(location)
    words = re.findall(r"\w+", text)
    if words[:1] == [field] or text[:1] == "{" or re.search(rf"(->|\.|offsetof\([^()]*,)\s*{field}\b", text):
        return here
    # A macro, or a macro among the arguments of another one.
    for word in words:
        place = definition_with(macros, word, field, set())
        if place:
            return place
    # The parts of its name are pasted together: the macro itself.
    return macros[words[0]][:2] if words and words[0] in macros else here


def struct_of(field):
    """The name of the struct that declares a field; that of the enclosing one for a struct without a name."""
    parent = field.semantic_parent
    while parent is not None and not parent.spelling or parent is not None and parent.is_anonymous():
        parent = parent.semantic_parent
    return parent.spelling if parent is not None else ""


def uses(source, flags):
    unit = index.parse(source, args=["-std=gnu11", "-D_GNU_SOURCE", f"-I{root}/include"] + flags,
                       options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    fatal = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if fatal:
        print(f"{source}: {fatal[0]}")
        sys.exit(1)
    stack, macros = [unit.cursor], macros_of(unit)
    while stack:
        cursor = stack.pop()
        stack.extend(cursor.get_children())
        if cursor.kind in FIELD_USES and cursor.referenced is not None and \
                cursor.referenced.kind == cindex.CursorKind.FIELD_DECL:
            yield cursor, cursor.referenced, macros
        elif cursor.kind == cindex.CursorKind.INIT_LIST_EXPR:
            field = first_field(cursor)
            if field is not None:
                yield cursor, field, macros


def first_field(initializer):
    """The first field of the struct that is initialized by position. None: it is no struct, or zero, or has names."""
    fields = list(initializer.type.get_canonical().get_fields())
    tokens = [token.spelling for token in initializer.get_tokens()]
    by_name = any(a in "{," and b == "." for a, b in zip(tokens, tokens[1:]))
    return None if not fields or by_name or tokens in (["{", "0", "}"], ["{", "}"]) else fields[0]


def main():
    read_layers()
    found, seen = set(), set()
    sources = sorted(os.path.join(at, name) for at, _, names in os.walk(os.path.join(root, "src")) for name in names
                     if name.endswith(".c"))
    if not sources:
        print("no sources in src/")
        return 1
    for source in sources:
        for flags in ([], ["-DFILCH_CHECKED"]):
            if flags and source.endswith("_linux.c") or not flags and source.endswith("_check.c"):
                continue
            for cursor, field, macros in uses(source, flags):
                owner = folder_of(spelled_at(field.location, field.spelling, macros)[0])
                struct = struct_of(field)
                if owner is None or struct in allowed:
                    if struct in allowed:
                        seen.add(struct)
                    continue
                path, line = spelled_at(cursor.location, field.spelling, macros)
                user = folder_of(path)
                if user is not None and user != owner:
                    found.add((os.path.relpath(path, root), line, f"{struct}.{field.spelling}", owner))
    for path, line, name, owner in sorted(found):
        print(f"{path}:{line}: names {name}, which belongs to {owner}")
    for struct in sorted(allowed - seen):
        print(f"LAYERS: open {struct}: no other folder names its fields")
    return 1 if found or allowed - seen else 0


sys.exit(main())
