"""Static files under names that change with their content, modules included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage as _Manifest

# Django reads imports of all scripts or of none; those of other packages do not all resolve.
_OUR_SCRIPTS = "js/*.js"
_IMPORTS = _Manifest._js_module_import_aggregation_patterns[1]  # noqa: SLF001 -- has no public name


class ModuleManifestStorage(_Manifest):  # type: ignore[misc]  # whitenoise ships no types
    """Rewrites the imports of our JavaScript modules too.

    A page's script and the modules it imports then always come from the same release, and all of
    them may be cached for ever.
    """

    patterns = (*_Manifest.patterns, (_OUR_SCRIPTS, _IMPORTS))
