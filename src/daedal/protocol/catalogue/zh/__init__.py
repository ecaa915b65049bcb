"""The Chinese catalogue: Simplified Chinese. docs/words.zh.md says which word stands for which."""
