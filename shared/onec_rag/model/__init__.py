"""The words of the field as frozen dataclasses; no input, no output, no logic beyond naming."""
