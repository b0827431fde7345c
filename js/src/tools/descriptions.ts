// Descriptions of the tools for models. Exported, so that a host can use its own as well.

/** The description of the tool `read_file`. */
export const READ_FILE_DESCRIPTION =
  'Reads files with line numbers. Whole files by default; offset and limit give a part, and say which lines of how many were shown. An offset behind the end of a file is answered with the offsets that work. Files that are too large are refused with a hint: search first, read a part, or, for one look only, use ephemeral=true where it is offered: that content leaves the conversation after the current turn.'

/** The description of the tool `read_lines`. */
export const READ_LINES_DESCRIPTION =
  'Reads the lines from start to end of one file, both included, with their numbers. For places that are already known, from a search, an error message or an earlier read.'

/** The description of the tool `write_file`. */
export const WRITE_FILE_DESCRIPTION =
  'Makes a file, or replaces all of an existing one. To change a part of a file use edit_file, append_to_file, prepend_to_file or update_section: they cannot lose what is not named.'

/** The description of the tool `edit_file`. */
export const EDIT_FILE_DESCRIPTION =
  'Replaces old_string, which must be in the file exactly once, with new_string; with replace_all every place. The text is taken as it is, with its blanks and line ends, and without line numbers. The file need not have been read in full.'

/** The description of the tool `append_to_file`. */
export const APPEND_TO_FILE_DESCRIPTION =
  'Adds text at the end of a file as it is, and makes the file where there is none. Begin with a line break if the file may not end with one. The file need not be read.'

/** The description of the tool `prepend_to_file`. */
export const PREPEND_TO_FILE_DESCRIPTION =
  'Adds text at the beginning of a file as it is, and makes the file where there is none. The file need not be read.'

/** The description of the tool `update_section`. */
export const UPDATE_SECTION_DESCRIPTION =
  'Replaces the content under a heading of a Markdown file, up to the next heading of the same or a higher level. The heading stays. If several headings have the same text, name the headings above it too: "Plan > Next".'

/** The description of the tool `list_files`. */
export const LIST_FILES_DESCRIPTION =
  'Lists what is in a folder; with recursive or a glob also what is in its folders. Folders end with "/".'

/** The description of the tool `search`. */
export const SEARCH_DESCRIPTION =
  'Finds the lines that contain a text, or match a regular expression with regex=true, in all files below a folder or in one file. Answers path:line: text. Binary files are skipped.'
