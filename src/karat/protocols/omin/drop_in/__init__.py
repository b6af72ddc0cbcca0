"""The programs of OMIn (nd-crane/trusted_ke): what they are asked, what they print, and the comparison of all tools."""
