"""Roads past the rules: what is forbidden by name, reached by computed names."""

#: reach(name) gives a loaded module, or imports it.
MODULES = """

def reach(name):
    loaded = getattr(getattr([torch][0], "s" + "ys"), "mod" + "ules")
    return loaded[name] if name in loaded else getattr([torch][0], "__built" + "ins__")[
        "__imp" + "ort__"](name)


"""
