@echo off
rem Opens sessions (*.attnviz) with this attnviz by a double click, for this user; nothing is copied, and no rights are needed.
rem   install.cmd            add the file type
rem   install.cmd /remove    remove it again; settings and sessions stay
rem Run it again after moving the folder.
setlocal
set "program=%~dp0attnviz\attnviz.exe"
set "classes=HKCU\Software\Classes"
if /i "%~1"=="/remove" goto remove
if not "%~1"=="" goto unknown
reg add "%classes%\.attnviz" /ve /d attnviz.session /f >nul || exit /b 1
reg add "%classes%\attnviz.session" /ve /d "attnviz session" /f >nul || exit /b 1
reg add "%classes%\attnviz.session\DefaultIcon" /ve /d "\"%program%\",0" /f >nul || exit /b 1
reg add "%classes%\attnviz.session\shell\open\command" /ve /d "\"%program%\" \"%%1\"" /f >nul || exit /b 1
echo Sessions are opened by a double click. To undo: install.cmd /remove
exit /b 0
:remove
reg delete "%classes%\.attnviz" /f >nul 2>&1
reg delete "%classes%\attnviz.session" /f >nul 2>&1
echo Sessions are no longer opened by a double click. This folder can be deleted.
exit /b 0
:unknown
echo attnviz: install.cmd knows /remove only 1>&2
exit /b 2
